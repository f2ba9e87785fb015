package llm

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kind says what went wrong with a model call, as far as it decides what to
// do next.
type Kind uint8

// The kinds of error.
const (
	KindUnknown     Kind = iota
	KindKey              // no key, or the key was refused
	KindRateLimited      // come back after RetryAfter
	KindQuota            // a daily (or longer) allowance is used up: no retry today
	KindOverloaded       // the provider is overloaded
	KindServer           // another failure on the provider's side
	KindTooLong          // the prompt does not fit the model's context
	KindRefused          // the model declined to answer
	KindTruncated        // the answer ran into max_tokens
	KindCut              // the connection broke before the answer was whole
	KindMalformed        // the answer is not what the wire format or the schema says
	KindRequest          // the request itself is wrong (unknown model, bad parameter)
	KindUnreachable      // no connection to the endpoint
	KindCanceled         // the caller gave up
	KindBudget           // the budget does not allow the call; nothing was sent
	KindReplayMiss       // a replay has no answer to this request
)

var kindNames = [...]string{"unknown", "key", "rate_limited", "quota", "overloaded", "server", "too_long", "refused", "truncated", "cut", "malformed", "request", "unreachable", "canceled", "budget", "replay_miss"}

// String gives the kind's name as traces and ledgers hold it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Error is a failed model call. Message never holds a key.
type Error struct {
	Kind      Kind
	Provider  string
	Model     string
	Status    int // HTTP status, 0 when there was none
	Message   string
	RequestID string
	// RetryAfter is the wait the provider asked for, 0 when it named none.
	RetryAfter time.Duration
	// Usage is what the provider billed for this attempt; with Estimated set it
	// is a lower bound (a cut answer). Nil when the provider did not say.
	Usage *Usage
	// Text is what had arrived of an answer that is not whole, or the whole of
	// one that could not be read.
	Text string
	// Stop is the reason an incomplete answer ended with, empty when it was not
	// told.
	Stop StopReason
	// Unsent tells that the attempt never left this program.
	Unsent bool
	Err    error
}

// Error says where the call went and what went wrong.
func (e *Error) Error() string {
	msg := e.Message
	if msg == "" && e.Err != nil {
		msg = e.Err.Error()
	}
	if msg == "" {
		msg = strings.ReplaceAll(e.Kind.String(), "_", " ")
	}
	if e.Status != 0 {
		msg = fmt.Sprintf("%s (HTTP %d)", msg, e.Status)
	}
	if where := strings.TrimSpace(e.Provider + " " + e.Model); where != "" {
		return where + ": " + msg
	}
	return msg
}

// Unwrap gives the error beneath.
func (e *Error) Unwrap() error { return e.Err }

// Billing says whether a failed attempt cost something.
type Billing uint8

// The answers: it cost nothing, it cost what Usage says, or nobody knows.
const (
	NotBilled Billing = iota
	Billed
	MaybeBilled
)

// BillingOf tells whether the attempt that ended with err was billed. What is
// refused at the door costs nothing; what broke on its way may have.
func BillingOf(err error) Billing {
	var e *Error
	if !errors.As(err, &e) {
		return MaybeBilled
	}
	if e.Unsent {
		return NotBilled
	}
	if e.Usage != nil {
		if e.Usage.Estimated {
			return MaybeBilled
		}
		return Billed
	}
	switch e.Kind {
	case KindUnknown, KindRefused, KindTruncated, KindCut, KindMalformed, KindCanceled:
		return MaybeBilled
	case KindServer:
		// A gateway gives up on a model that may still answer.
		if e.Status == 408 || e.Status == 502 || e.Status == 504 {
			return MaybeBilled
		}
	}
	return NotBilled
}

// KindOf gives the kind of a model error anywhere in err's chain, else
// KindUnknown.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return KindUnknown
}

// UsageOf gives the usage that a model error in err's chain tells of, nil
// when there is none.
func UsageOf(err error) *Usage {
	var e *Error
	if errors.As(err, &e) {
		return e.Usage
	}
	return nil
}
