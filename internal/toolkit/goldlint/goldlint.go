// Package goldlint finds golds that are likely wrong, without a model: it runs
// each one and looks at what its ORDER BY really sorts by.
package goldlint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/asset"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/semantic"
)

// Kind is what is wrong with a gold.
type Kind string

// The kinds.
const (
	Refused     Kind = "refused"      // the guard does not let it pass
	Broken      Kind = "does not run" //
	NotRun      Kind = "not run"      // nothing can be said: no database, too big
	Empty       Kind = "empty"        // no rows, or nothing but NULL
	TieCut      Kind = "LIMIT cuts a tie"
	NullFirst   Kind = "NULL sorts first"
	NumericText Kind = "numbers sorted as text"
	NoGold      Kind = "no gold"
	Duplicate   Kind = "same question"
)

// Finding is one thing about one question.
type Finding struct {
	ID   string `json:"id"`
	DB   string `json:"db_id,omitempty"`
	Kind Kind   `json:"kind"`
	// Text says what was seen, with values of the data, and what to do; of
	// held-out questions it is empty.
	Text string `json:"text,omitempty"`
}

// Linter runs golds.
type Linter struct {
	// Open gives the database of an id.
	Open func(ctx context.Context, id string) (db.Database, error)
	// AsOf, when set, is now in the golds.
	AsOf time.Time
	// Functions and Schemas are what the project allows beside the dialect's
	// own.
	Functions, Schemas []string
	// Each runs do for 0 to n-1, perhaps several at once; nil is one by one.
	Each func(n int, do func(i int))
}

// Lint looks at the golds of items, in their order.
func (l *Linter) Lint(ctx context.Context, items []bench.Item) []Finding {
	found := make([][]Finding, len(items))
	each := l.Each
	if each == nil {
		each = func(n int, do func(i int)) {
			for i := range n {
				do(i)
			}
		}
	}
	each(len(items), func(i int) { found[i] = l.one(ctx, items[i]) })
	seen := map[string]string{}
	var all []Finding
	for i, it := range items {
		folded := it.DB + "\x00" + strings.Join(strings.Fields(strings.ToLower(it.Question.Question)), " ")
		if first, ok := seen[folded]; ok {
			found[i] = append(found[i], Finding{it.ID, it.DB, Duplicate, "asks the same as " + first + "; keep one of the two"})
		} else {
			seen[folded] = it.ID
		}
		all = append(all, found[i]...)
	}
	return all
}

// one looks at the golds of one question in one session.
func (l *Linter) one(ctx context.Context, it bench.Item) (found []Finding) {
	note := func(k Kind, format string, args ...any) {
		found = append(found, Finding{it.ID, it.DB, k, fmt.Sprintf(format, args...)})
	}
	if it.Unanswerable || it.Quarantine != "" {
		return nil
	}
	golds := it.Golds()
	a := semantic.Asset{Name: "gold"}
	if it.Asset != nil {
		golds, a = []string{it.Asset.SQL}, *it.Asset
	}
	if len(golds) == 0 {
		note(NoGold, "its answers can only be judged; write gold_sql, or unanswerable: true")
		return found
	}
	database, err := l.Open(ctx, it.DB)
	if err != nil {
		note(NotRun, "%v", err)
		return found
	}
	session, err := database.Session(ctx, db.Score)
	if err != nil {
		note(NotRun, "%v", err)
		return found
	}
	s := &stand{session: session, policy: database.Dialect().Policy, asset: a, params: it.Params, note: note}
	s.policy.Grammar = database.Grammar()
	s.policy.Allowed, s.policy.Schemas = l.Functions, l.Schemas
	if !l.AsOf.IsZero() {
		s.policy.AsOf = &guard.AsOf{Time: l.AsOf, Literal: database.Dialect().Now}
	}
	for n, sql := range golds {
		s.name = ""
		if len(golds) > 1 {
			s.name = fmt.Sprintf("gold %d: ", n+1)
		}
		s.gold(ctx, sql, it.Order != bench.OrderAny)
	}
	if err := session.Close(); err != nil {
		note(NotRun, "end the session: %v", err)
	}
	return found
}

// stand is one session with what is needed to run a question's golds.
type stand struct {
	session db.Session
	policy  guard.Policy
	asset   semantic.Asset
	params  map[string]semantic.Scalar
	name    string
	note    func(k Kind, format string, args ...any)
}

func (s *stand) run(ctx context.Context, sql string) (*db.Result, error) {
	a := s.asset
	a.SQL = sql
	st, args, err := asset.Bind(ctx, a, s.params, &s.policy)
	if err != nil {
		return nil, err
	}
	return s.session.Query(ctx, st, db.ScoreCaps, args...)
}

// gold runs a gold and looks at its result and its order; ordered tells
// whether the order of rows counts.
func (s *stand) gold(ctx context.Context, sql string, ordered bool) {
	res, err := s.run(ctx, sql)
	var refused *guard.Refusal
	var e *db.Error
	switch {
	case errors.As(err, &refused):
		s.note(Refused, "%s%s; %s", s.name, refused.Message, refused.Repair)
		return
	case errors.As(err, &e) && slices.Contains(nobodysFault, e.Kind):
		s.note(NotRun, "%s%v", s.name, err)
		return
	case err != nil:
		s.note(Broken, "%s%v", s.name, err)
		return
	case res.Truncated != db.Whole:
		s.note(NotRun, "%sthe result is too big to be compared; ask for less", s.name)
		return
	}
	if nothing(res) {
		s.note(Empty, "%sit returns no value at all; an empty answer is right by accident", s.name)
		return
	}
	s.order(ctx, sql, res, ordered)
}

// nobodysFault are errors that say nothing of a gold.
var nobodysFault = []db.ErrorKind{db.ErrCanceled, db.ErrTimeout, db.ErrUnreachable, db.ErrTooBig, db.ErrAuth, db.ErrLocked}

// nothing reports a result without a value: no rows, or one row of NULLs.
func nothing(res *db.Result) bool {
	if len(res.Rows) > 1 {
		return false
	}
	for _, row := range res.Rows {
		for _, v := range row {
			if !v.IsNull() {
				return false
			}
		}
	}
	return true
}
