package openai

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
)

// exchange is what the SDK does not hand on of one HTTP exchange: headers of
// failures, their raw bodies, and how the body ended.
type exchange struct {
	header http.Header
	status int
	body   io.ReadCloser // of a success, unread
	raw    []byte        // of a failure
	sent   int           // bytes of the request
	tail   []byte        // the last bytes of a stream
}

type exchangeKey struct{}

func listen(ctx context.Context) (context.Context, *exchange) {
	x := &exchange{}
	return context.WithValue(ctx, exchangeKey{}, x), x
}

// listener is the transport that fills in the exchange of its request.
type listener struct{ inner http.RoundTripper }

// maxFailure bounds how much of an error's body is read.
const maxFailure = 1 << 16

func (l listener) RoundTrip(r *http.Request) (*http.Response, error) {
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return l.inner.RoundTrip(r)
	}
	x.sent = int(r.ContentLength)
	resp, err := l.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	x.header, x.status = resp.Header, resp.StatusCode
	if resp.StatusCode >= 400 {
		x.raw, err = io.ReadAll(io.LimitReader(resp.Body, maxFailure))
		resp.Body.Close()
		if err != nil {
			return nil, err
		}
		resp.Body = io.NopCloser(bytes.NewReader(x.raw))
		return resp, nil
	}
	x.body = resp.Body
	resp.Body = tail{resp.Body, x}
	return resp, nil
}

func (x *exchange) isJSON() bool {
	media, _, _ := mime.ParseMediaType(x.header.Get("content-type"))
	return media == "application/json"
}

// done tells whether the stream said its last word.
func (x *exchange) done() bool { return bytes.Contains(x.tail, []byte("[DONE]")) }

// tail remembers the last bytes that went through it.
type tail struct {
	io.ReadCloser
	x *exchange
}

func (t tail) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.x.tail = append(t.x.tail, p[:n]...)
	if extra := len(t.x.tail) - 64; extra > 0 {
		t.x.tail = append(t.x.tail[:0], t.x.tail[extra:]...)
	}
	return n, err
}
