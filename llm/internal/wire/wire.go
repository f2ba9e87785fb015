// Package wire holds what the HTTP clients of all providers need: how long to
// wait, whether an allowance is used up for the day, and messages without
// keys in them.
package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/llm"
)

// RetryAfter reads the wait that a response asks for, 0 when it names none.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("retry-after-ms"), 64); err == nil && ms >= 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := h.Get("retry-after")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s >= 0 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// LongWait is the wait from which a rate limit counts as an allowance that is
// used up: nobody sits through it.
const LongWait = time.Hour

var (
	perDay    = regexp.MustCompile(`(?i)\b(per[-_ ]?(day|week|month)|daily|weekly|monthly|[TR]PD)\b`)
	perMinute = regexp.MustCompile(`(?i)\b(per[-_ ]?(sec|second|min|minute|hour)|[TR]P[MSH])\b`)
	noMoney   = regexp.MustCompile(`(?i)insufficient[_ ](quota|credits?|funds|balance)|exceeded your current quota|credit balance|more credits|out of credits|(usage|spend|spending|billing hard) limits?\b`)
)

// Quota tells a used-up daily (or longer) allowance from a limit per minute.
// Some providers show it in no header, only in the words of the body, and
// point to the billing page in both.
func Quota(body string, wait time.Duration) bool {
	return wait >= LongWait || perDay.MatchString(body) || NoMoney(body) && !perMinute.MatchString(body)
}

// NoMoney tells whether an error says that the account has nothing left.
func NoMoney(body string) bool { return noMoney.MatchString(body) }

var tooLong = regexp.MustCompile(`(?i)(prompt is too long|context[ _](length|window|size)|maximum context|too many tokens|reduce the length|exceeds? the (model's )?(maximum|context)|input is too long|request too large for model)`)

// TooLong tells whether an error says that the prompt does not fit.
func TooLong(body string) bool { return tooLong.MatchString(body) }

var keyLike = regexp.MustCompile(`\b(sk|gsk|key|xai)[-_][-_A-Za-z0-9*.]{8,}`)

// Mask takes the key, and what looks like one, out of a message.
func Mask(message, key string) string {
	if len(key) > 3 {
		message = strings.ReplaceAll(message, key, "***")
	}
	return keyLike.ReplaceAllString(message, "***")
}

// Gone gives the error for a call whose context ended before it was sent, nil
// while it lives.
func Gone(ctx context.Context) *llm.Error {
	cause := context.Cause(ctx)
	if cause == nil {
		return nil
	}
	return &llm.Error{Kind: llm.KindCanceled, Message: "given up: " + cause.Error(), Err: cause, Unsent: true}
}

// Broken gives the error for a call that ended without a whole HTTP response
// or in the middle of its body. started tells whether any of the answer had
// come.
func Broken(ctx context.Context, err error, base string, started bool) *llm.Error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errSilent) {
		return &llm.Error{Kind: llm.KindCanceled, Message: "given up: " + cause.Error(), Err: cause}
	} else if cause != nil {
		return &llm.Error{Kind: llm.KindCut, Message: cause.Error()}
	}
	if started {
		return &llm.Error{Kind: llm.KindCut, Message: "the connection broke before the answer was whole: " + plain(err)}
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return &llm.Error{Kind: llm.KindUnreachable, Message: "no connection to " + Host(base) + ": " + plain(err)}
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return &llm.Error{Kind: llm.KindUnreachable, Message: "no connection to " + Host(base) + ": " + plain(err)}
	}
	return &llm.Error{Kind: llm.KindCut, Message: "the connection to " + Host(base) + " broke before an answer came: " + plain(err)}
}

// plain drops the URL, which may hold a secret, from an HTTP error.
func plain(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// Host gives scheme and host of an endpoint, without user, path and query.
func Host(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "the endpoint"
	}
	return u.Scheme + "://" + u.Host
}

var errSilent = errors.New("the provider sent nothing for too long")

type watchKey struct{}

// Watch cancels the context it returns when nothing has come through a
// Carrier for as long as idle. stop ends the watch.
func Watch(ctx context.Context, idle time.Duration) (watched context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(idle, func() { cancel(errSilent) })
	touch := func() { timer.Reset(idle) }
	return context.WithValue(ctx, watchKey{}, touch), func() { timer.Stop(); cancel(context.Canceled) }
}

// transport tells the watch of a request about every byte of its response.
type transport struct{ inner http.RoundTripper }

// Carrier gives the HTTP client for calls, made from c or, when it is nil,
// with connections enough for a wave of calls to find theirs open.
func Carrier(c *http.Client) *http.Client {
	var own http.Client
	if c != nil {
		own = *c
	}
	if own.Transport == nil {
		own.Transport = http.DefaultTransport
		if standard, ok := http.DefaultTransport.(*http.Transport); ok {
			wide := standard.Clone()
			wide.MaxIdleConnsPerHost = 128
			own.Transport = wide
		}
	}
	own.Transport = transport{own.Transport}
	return &own
}

// RoundTrip sends the request.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.inner.RoundTrip(r)
	if touch, ok := r.Context().Value(watchKey{}).(func()); ok && err == nil {
		touch()
		resp.Body = touching{resp.Body, touch}
	}
	return resp, err
}

type touching struct {
	io.ReadCloser
	touch func()
}

func (t touching) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if n > 0 && err == nil {
		t.touch()
	}
	return n, err
}

// Estimated tells whether an endpoint says of its token counts that it did
// not measure them, in a header such as x-usage: estimated.
func Estimated(h http.Header) bool {
	for name := range h {
		if strings.HasSuffix(strings.ToLower(name), "-usage") && strings.EqualFold(h.Get(name), "estimated") {
			return true
		}
	}
	return false
}

// KindOfStatus classifies an error by its HTTP status alone.
func KindOfStatus(status int) llm.Kind {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return llm.KindKey
	case status == http.StatusPaymentRequired:
		return llm.KindQuota
	case status == http.StatusTooManyRequests:
		return llm.KindRateLimited
	case status == http.StatusRequestEntityTooLarge:
		return llm.KindTooLong
	case status == 529, status == http.StatusServiceUnavailable:
		return llm.KindOverloaded
	case status == http.StatusRequestTimeout, status >= 500:
		return llm.KindServer
	case status >= 400:
		return llm.KindRequest
	}
	return llm.KindUnknown
}
