package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Decode reads the structured answer in resp into the value that into points
// to. It takes the answer as models really give it: alone, in a code fence,
// with prose around it, wrapped in one more object or list, as JSON in a
// string, as the input of a single tool call. Of several values that fit, the
// last counts.
//
// The target's own type says what is needed: a field of a struct must be
// there unless it is a slice, map or pointer or carries omitempty or
// omitzero. Anything else is an *Error of KindMalformed with the reason.
func Decode(resp Response, into any) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fmt.Errorf("decode an answer: %T is not a pointer to a value", into)
	}
	values, reason := candidates(resp)
	for i := len(values) - 1; i >= 0; i-- {
		fresh := reflect.New(target.Type().Elem())
		err := fit(values[i], fresh.Elem(), 0)
		if err == nil {
			target.Elem().Set(fresh.Elem())
			return nil
		}
		// The reason of the largest candidate tells most: it is the one that
		// was meant.
		if reason == nil || len(values[i]) > reason.size {
			reason = &misfit{err: err, size: len(values[i])}
		}
	}
	usage := resp.Usage
	return &Error{
		Kind: KindMalformed, Model: resp.Model, Message: "the answer is not what was asked for: " + reason.err.Error(),
		RequestID: resp.RequestID, Usage: &usage, Text: resp.Text, Stop: resp.Stop,
	}
}

type misfit struct {
	err  error
	size int
}

// maxCandidates bounds the work on an answer that is all braces.
const maxCandidates = 64

// candidates lists the JSON values of an answer in their order; without any,
// the reason says why.
func candidates(resp Response) ([]json.RawMessage, *misfit) {
	text := strings.TrimSpace(strings.TrimPrefix(resp.Text, "\ufeff"))
	if text == "" {
		if len(resp.Calls) == 1 && len(resp.Calls[0].Input) > 0 {
			return candidates(Response{Text: string(resp.Calls[0].Input)})
		}
		return nil, &misfit{err: errors.New("it is empty")}
	}
	if raw, ok := whole(text); ok {
		return []json.RawMessage{raw}, nil
	}
	var found []json.RawMessage
	tried := 0
	for i := 0; i < len(text) && tried < maxCandidates; {
		if text[i] != '{' && text[i] != '[' {
			i++
			continue
		}
		tried++
		end := closing(text[i:])
		if end < 0 {
			i++
			continue
		}
		raw, ok := whole(text[i : i+end])
		if !ok {
			i++
			continue
		}
		found = append(found, raw)
		i += end
	}
	switch {
	case len(found) > 0:
		return found, nil
	case strings.ContainsAny(text, "{["):
		return nil, &misfit{err: errors.New("its JSON is broken or ends in the middle")}
	}
	return nil, &misfit{err: errors.New("there is no JSON in it")}
}

// whole reads text as one JSON value, mending the two slips that models make
// inside otherwise good JSON.
func whole(text string) (json.RawMessage, bool) {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text), true
	}
	mended := mend(text)
	return mended, json.Valid(mended)
}

// closing gives the length of the bracketed value at the start of text, -1
// when it does not end.
func closing(text string) int {
	depth, inString, escaped := 0, false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// mend escapes line breaks and other control characters inside strings and
// drops a comma before a closing bracket.
func mend(text string) []byte {
	var b bytes.Buffer
	inString, escaped := false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inString && c < 0x20:
			fmt.Fprintf(&b, `\u%04x`, c)
			escaped = false
			continue
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case !inString && c == ',':
			rest := strings.TrimLeft(text[i+1:], " \t\r\n")
			if rest != "" && (rest[0] == '}' || rest[0] == ']') {
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.Bytes()
}
