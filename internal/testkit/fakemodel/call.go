package fakemodel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/sqbyl/sqbyl/llm"
)

// Call is a request as the fake got it.
type Call struct {
	N      int // 1 for the first request
	Path   string
	Header http.Header
	Body   []byte

	Model  string
	System string
	// Turns holds the text of each turn, tool calls and results included.
	Turns []string
	Tools []string
	// Schema is the JSON Schema of the wanted answer, nil for text.
	Schema json.RawMessage
	// Format is the kind of structured answer asked for, empty for none; it is
	// "tool" when a tool has to be called.
	Format string
	Stream bool
	// Prefix is the part of the prompt marked to be cached, and Life for how
	// long.
	Prefix string
	Life   llm.CacheLife
}

// Last is the text of the last turn: the question, or a tool's result.
func (c Call) Last() string {
	if len(c.Turns) == 0 {
		return ""
	}
	return c.Turns[len(c.Turns)-1]
}

// String names the call in failure messages.
func (c Call) String() string {
	return fmt.Sprintf("call %d to %s: %s", c.N, c.Model, readable(c.Last()))
}

// wireBlock is any content block of a request.
type wireBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	Cache     *struct {
		TTL llm.CacheLife `json:"ttl"`
	} `json:"cache_control"`
}

// blocks reads content that is a string or a list of blocks.
func blocks(raw json.RawMessage) ([]wireBlock, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []wireBlock{{Type: "text", Text: text}}, nil
	}
	var list []wireBlock
	if len(raw) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("content is neither text nor blocks: %w", err)
	}
	return list, nil
}

func textOf(list []wireBlock) string {
	var out []string
	for _, b := range list {
		switch b.Type {
		case "text":
			out = append(out, b.Text)
		case "tool_use":
			out = append(out, fmt.Sprintf("[call %s %s]", b.Name, b.Input))
		case "tool_result":
			inner, err := blocks(b.Content)
			if err == nil {
				out = append(out, textOf(inner))
			}
		}
	}
	return strings.Join(out, "\n")
}

func marshal(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // values of this package's own making
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("content-type", "application/json")
	fmt.Fprint(w, marshal(v))
}
