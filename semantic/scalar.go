package semantic

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Scalar is a value as a project file holds it: exact text plus whether it
// was written as a string, a number or a boolean. The text of a number is a
// JSON number literal, or one of ".inf", "-.inf" and ".nan"; that of a
// boolean is "true" or "false".
type Scalar struct {
	Text string
	Kind ScalarKind
}

// ScalarKind tells how a Scalar is written.
type ScalarKind uint8

// The kinds of scalar.
const (
	StringScalar ScalarKind = iota
	NumberScalar
	BoolScalar
)

// The numbers that JSON has no literal for, by their text.
var unwritable = map[string]string{".inf": "inf", "-.inf": "-inf", ".nan": "nan"}

// String is the scalar's text.
func (s Scalar) String() string { return s.Text }

// MarshalJSON writes a number as its exact literal; infinities and NaN as
// {"$float": "inf"}.
func (s Scalar) MarshalJSON() ([]byte, error) {
	if s.Kind == StringScalar {
		return json.Marshal(s.Text)
	}
	if word, ok := unwritable[s.Text]; ok && s.Kind == NumberScalar {
		return json.Marshal(map[string]string{"$float": word})
	}
	if !json.Valid([]byte(s.Text)) {
		return nil, fmt.Errorf("scalar %q is not a literal", s.Text)
	}
	return []byte(s.Text), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Scalar) UnmarshalJSON(b []byte) error {
	text := strings.TrimSpace(string(b))
	switch {
	case text == "true", text == "false":
		*s = Scalar{text, BoolScalar}
	case strings.HasPrefix(text, `"`):
		*s = Scalar{}
		return json.Unmarshal(b, &s.Text)
	case strings.HasPrefix(text, "{"):
		return s.unmarshalTagged(b)
	case text == "null" || strings.HasPrefix(text, "["):
		return fmt.Errorf("%.20s is not a single value", text)
	default:
		*s = Scalar{text, NumberScalar}
	}
	return nil
}

func (s *Scalar) unmarshalTagged(b []byte) error {
	var tagged map[string]string
	if err := json.Unmarshal(b, &tagged); err != nil {
		return err
	}
	for text, word := range unwritable {
		if len(tagged) == 1 && tagged["$float"] == word {
			*s = Scalar{text, NumberScalar}
			return nil
		}
	}
	return fmt.Errorf("%.40s is not a single value", b)
}

// Count is a number of distinct values; Estimate marks one that was not
// counted exactly ("~" in a project file).
type Count struct {
	N        int64
	Estimate bool
}

// String is the number, with a leading "~" when it is an estimate.
func (c Count) String() string {
	if c.Estimate {
		return "~" + strconv.FormatInt(c.N, 10)
	}
	return strconv.FormatInt(c.N, 10)
}

// UnmarshalText reads what String writes.
func (c *Count) UnmarshalText(text []byte) error {
	digits, estimate := strings.CutPrefix(string(text), "~")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a count, such as 4210 or ~4210 for an estimate", text)
	}
	*c = Count{n, estimate}
	return nil
}

// MarshalJSON writes a number, or the text "~N" for an estimate.
func (c Count) MarshalJSON() ([]byte, error) {
	if c.Estimate {
		return json.Marshal(c.String())
	}
	return []byte(c.String()), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Count) UnmarshalJSON(b []byte) error {
	return c.UnmarshalText([]byte(strings.Trim(string(b), `"`)))
}
