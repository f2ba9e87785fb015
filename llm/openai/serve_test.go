package openai_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// serve answers every request with one stream.
func serve(t *testing.T, stream string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("content-type", "text/event-stream")
		if _, err := io.WriteString(w, stream); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}
