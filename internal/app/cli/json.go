package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// jsonFlag is --json: one document on stdout and nothing else there.
type jsonFlag struct{ on bool }

func (j *jsonFlag) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&j.on, "json", false, "print one JSON document")
}

// jsonMode is --json for commands that can also tell what happens as it
// happens: --json=stream gives events as JSON lines.
type jsonMode struct{ on, stream bool }

func (j *jsonMode) add(cmd *cobra.Command) {
	cmd.Flags().VarPF(j, "json", "", "print one JSON document; --json=stream prints events as JSON lines").NoOptDefVal = "document"
}

// String and its like make the mode a flag's value.
func (j *jsonMode) String() string {
	switch {
	case j.stream:
		return "stream"
	case j.on:
		return "document"
	}
	return ""
}

func (j *jsonMode) Set(s string) error {
	switch s {
	case "document", "true":
		*j = jsonMode{on: true}
	case "stream":
		*j = jsonMode{on: true, stream: true}
	case "false":
		*j = jsonMode{}
	default:
		return fmt.Errorf("write --json or --json=stream")
	}
	return nil
}

func (j *jsonMode) Type() string { return "MODE" }

// writeJSON prints one document, each member of its object on a line of its
// own for people who look at it.
func writeJSON(w io.Writer, v any) error {
	compact, err := encode(v)
	if err != nil {
		return err
	}
	spread, err := spreadMembers(compact)
	if err != nil {
		return err
	}
	_, err = w.Write(spread)
	return err
}

func spreadMembers(object []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return append(object, '\n'), nil
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for first := true; d.More(); first = false {
		name, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("write the document: %w", err)
		}
		var member json.RawMessage
		if err := d.Decode(&member); err != nil {
			return nil, fmt.Errorf("write the document: %w", err)
		}
		if !first {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n  %q: %s", name, member)
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// writeJSONLine prints one document on one line.
func writeJSONLine(w io.Writer, v any) error {
	compact, err := encode(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(compact, '\n'))
	return err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write the document: %w", err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
