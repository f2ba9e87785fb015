package yamldoc

import (
	"math/big"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/semantic"
)

// The plain scalars of the YAML 1.2 core schema (specification §10.3.2).
var (
	coreInt   = regexp.MustCompile(`^[-+]?[0-9]+$`)
	coreOctal = regexp.MustCompile(`^0o[0-7]+$`)
	coreHex   = regexp.MustCompile(`^0x[0-9a-fA-F]+$`)
	coreFloat = regexp.MustCompile(`^([-+]?)([0-9]*)(\.([0-9]*))?([eE][-+]?[0-9]+)?$`)
)

const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// isNull reports a plain null of the core schema.
func isNull(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Style&quoted != 0 {
		return false
	}
	switch n.Value {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

// Resolve reads a plain scalar's text by the core schema. The library's own
// resolution keeps rules of YAML 1.1 (octal 012, 1_000, dates), so it is not
// used.
func Resolve(text string) semantic.Scalar {
	switch text {
	case "true", "True", "TRUE":
		return semantic.Scalar{Text: "true", Kind: semantic.BoolScalar}
	case "false", "False", "FALSE":
		return semantic.Scalar{Text: "false", Kind: semantic.BoolScalar}
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return semantic.Scalar{Text: ".inf", Kind: semantic.NumberScalar}
	case "-.inf", "-.Inf", "-.INF":
		return semantic.Scalar{Text: "-.inf", Kind: semantic.NumberScalar}
	case ".nan", ".NaN", ".NAN":
		return semantic.Scalar{Text: ".nan", Kind: semantic.NumberScalar}
	}
	if literal, ok := number(text); ok {
		return semantic.Scalar{Text: literal, Kind: semantic.NumberScalar}
	}
	return semantic.Scalar{Text: text}
}

// ScalarOf reads a scalar node.
func ScalarOf(n *yaml.Node) semantic.Scalar {
	if n.Style&quoted != 0 {
		return semantic.Scalar{Text: n.Value}
	}
	return Resolve(n.Value)
}

// number rewrites a number of the core schema as a JSON literal of the same
// value, digit for digit where it can.
func number(text string) (string, bool) {
	if text == "" || text[0] > '9' {
		return "", false
	}
	switch {
	case coreInt.MatchString(text):
		sign, digits := cutSign(text)
		return sign + trimZeros(digits), true
	case coreOctal.MatchString(text):
		return inBase(text[2:], 8), true
	case coreHex.MatchString(text):
		return inBase(text[2:], 16), true
	}
	m := coreFloat.FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[4] == "" {
		return "", false
	}
	sign, _ := cutSign(m[1])
	literal := sign + trimZeros(m[2])
	if m[4] != "" {
		literal += "." + m[4]
	} else if m[3] != "" {
		literal += ".0"
	}
	return literal + m[5], true
}

func cutSign(s string) (sign, rest string) {
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		return "-", rest
	}
	return "", strings.TrimPrefix(s, "+")
}

func trimZeros(digits string) string {
	if trimmed := strings.TrimLeft(digits, "0"); trimmed != "" {
		return trimmed
	}
	return "0"
}

func inBase(digits string, base int) string {
	n, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return "0"
	}
	return n.String()
}

// leadingZero reports a number that may have been meant as a code: 01067.
func leadingZero(text string) bool {
	_, digits := cutSign(text)
	return len(digits) > 1 && digits[0] == '0' && coreInt.MatchString(text)
}
