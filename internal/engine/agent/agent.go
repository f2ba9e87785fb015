// Package agent is what every agent shares: the question, the answer and the
// contract between them.
package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Agent answers questions about one database. It is safe for concurrent use.
//
// A question that was asked but not answered (no SQL that works, nothing in
// the database, a model that declines) is an Answer with a reason and no
// error. An error means that asking itself failed: a refused key, a spent
// budget, a database that is gone, an interruption. The Answer beside it then
// holds everything that happened, and was paid, before.
type Agent interface {
	Ask(ctx context.Context, q Question) (Answer, error)
}

// Question is one question.
type Question struct {
	ID   string // of a benchmark's question, "" for others
	Text string
	// Today is the date that "last month" counts from; zero means now.
	Today time.Time
}

// MaxQuestion is the largest question that is asked, in bytes.
const MaxQuestion = 32 << 10

// ErrQuestion is wrapped by the error of a question that cannot be asked.
var ErrQuestion = errors.New("the question cannot be asked")

// Check tells why a question cannot be asked, nil when it can.
func (q Question) Check() error {
	switch {
	case strings.TrimSpace(q.Text) == "":
		return fmt.Errorf("%w: it is empty", ErrQuestion)
	case len(q.Text) > MaxQuestion:
		return fmt.Errorf("%w: it is %d KB long, and at most %d KB are sent to a model", ErrQuestion, len(q.Text)>>10, MaxQuestion>>10)
	case !utf8.ValidString(q.Text):
		return fmt.Errorf("%w: it is not UTF-8 text", ErrQuestion)
	}
	return nil
}
