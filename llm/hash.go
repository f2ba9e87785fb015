package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
)

// Canonical gives the one JSON text of a request: no white space, one
// spelling per string. The order of keys in schemas and tool inputs is kept,
// for a model sees it. A raw part that is not JSON stands as a string.
func Canonical(req Request) []byte {
	req.Tools = append([]Tool(nil), req.Tools...)
	for i := range req.Tools {
		req.Tools[i].Input = compact(req.Tools[i].Input)
	}
	req.Messages = append([]Message(nil), req.Messages...)
	for i := range req.Messages {
		calls := append([]ToolCall(nil), req.Messages[i].Calls...)
		for j := range calls {
			calls[j].Input = compact(calls[j].Input)
		}
		req.Messages[i].Calls = calls
		if req.Messages[i].Thinking != nil {
			req.Messages[i].Thinking = compact(req.Messages[i].Thinking)
		}
	}
	if req.Answer != nil {
		req.Answer = &Schema{Name: req.Answer.Name, Schema: compact(req.Answer.Schema)}
	}
	return encode(req)
}

// Hash names a request: the hexadecimal SHA-256 of its canonical JSON.
func Hash(req Request) string {
	sum := sha256.Sum256(Canonical(req))
	return hex.EncodeToString(sum[:])
}

// Size is the number of bytes of everything in a request that a model reads,
// with a little for the form around each part.
func Size(req Request) int {
	const form = 32
	n := form
	for _, b := range req.System {
		n += len(b.Text) + form
	}
	for _, t := range req.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Input) + form
	}
	if req.Answer != nil {
		n += len(req.Answer.Name) + len(req.Answer.Schema) + form
	}
	for _, m := range req.Messages {
		n += len(m.Text) + len(m.Thinking) + form
		for _, c := range m.Calls {
			n += len(c.ID) + len(c.Name) + len(c.Input) + form
		}
		for _, r := range m.Results {
			n += len(r.ID) + len(r.Text) + form
		}
	}
	return n
}

// encode is json.Marshal that leaves <, > and & as they are. The values it
// gets cannot fail to encode: compact saw to the raw parts.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// compact rewrites a JSON value token by token.
func compact(raw json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(raw)) == 0 {
		return json.RawMessage("null")
	}
	if !json.Valid(raw) {
		return encode(string(raw))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var b bytes.Buffer
	var open []container
	for {
		token, err := d.Token()
		if err == io.EOF {
			return b.Bytes()
		}
		if err != nil {
			return encode(string(raw))
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			b.WriteByte(byte(delim))
			open = open[:len(open)-1]
			continue
		}
		if n := len(open); n > 0 {
			open[n-1].separate(&b)
		}
		if delim, ok := token.(json.Delim); ok {
			b.WriteByte(byte(delim))
			open = append(open, container{object: delim == '{'})
			continue
		}
		b.Write(encode(token))
	}
}

// container is an object or list being rewritten; n counts the tokens in it,
// keys included.
type container struct {
	object bool
	n      int
}

func (c *container) separate(b *bytes.Buffer) {
	switch {
	case c.object && c.n%2 == 1:
		b.WriteByte(':')
	case c.n > 0:
		b.WriteByte(',')
	}
	c.n++
}
