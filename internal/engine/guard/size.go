package guard

import (
	"fmt"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// The bounds that hold before anything parses a statement. MaxChain bounds
// the tree an engine builds from operators, joins and set operations.
const (
	MaxBytes  = 256 << 10
	MaxTokens = 40_000
	MaxDepth  = 100
	MaxChain  = 1000
)

func checkBytes(sql string) error {
	if len(sql) > MaxBytes {
		return place(sql, &Refusal{
			Layer: LayerSize, Rule: "bytes",
			Message: fmt.Sprintf("the statement is %d bytes long, more than the %d allowed", len(sql), MaxBytes),
			Repair:  "write a shorter statement; join a table instead of listing values",
		}, MaxBytes)
	}
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		if c < 0x20 && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return place(sql, &Refusal{
				Layer: LayerSize, Rule: "control_character",
				Message: fmt.Sprintf("the statement holds the control character U+%04X", c),
				Repair:  "leave it out, or build it with a function such as chr()",
			}, i)
		}
		if c >= utf8.RuneSelf {
			size, err := checkRune(sql, i)
			if err != nil {
				return err
			}
			i += size - 1
		}
	}
	return nil
}

func checkRune(sql string, i int) (int, error) {
	r, size := utf8.DecodeRuneInString(sql[i:])
	switch {
	case r == utf8.RuneError && size == 1:
		return 0, place(sql, &Refusal{
			Layer: LayerSize, Rule: "encoding",
			Message: "the statement is not valid UTF-8",
			Repair:  "write it in UTF-8",
		}, i)
	case r >= 0x80 && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return 0, place(sql, &Refusal{
			Layer: LayerSize, Rule: "control_character",
			Message: fmt.Sprintf("the statement holds the control character U+%04X, which makes text look like something else", r),
			Repair:  "leave it out",
		}, i)
	}
	return size, nil
}

// place sets the position of a refusal from a byte offset.
func place(sql string, r *Refusal, offset int) *Refusal {
	r.Position.Offset = min(max(offset, 0), len(sql))
	r.Position.Line, r.Position.Column = sqltext.Position(sql, offset)
	return r
}
