package cell

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// decimal is digits × 10^exp; digits neither begin nor end in 0, and are
// empty for zero.
type decimal struct {
	neg    bool
	digits string
	exp    int
}

// Plain is a number without an exponent.
func Plain(v *db.Value) string {
	switch v.Kind() {
	case db.Float:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case db.Decimal:
		d, ok := parseDecimal(v.Raw())
		if !ok || d.exp > 400 || d.exp < -400 {
			return "0"
		}
		return d.plain()
	default:
		return v.String()
	}
}

func (d decimal) plain() string {
	digits, exp := d.digits, d.exp
	if digits == "" {
		return "0"
	}
	if exp >= 0 {
		digits += strings.Repeat("0", exp)
	} else {
		if len(digits) <= -exp {
			digits = strings.Repeat("0", 1-exp-len(digits)) + digits
		}
		digits = digits[:len(digits)+exp] + "." + digits[len(digits)+exp:]
	}
	if d.neg {
		digits = "-" + digits
	}
	return digits
}

func (d decimal) String() string {
	sign := ""
	if d.neg {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.Itoa(d.exp)
}

func parseDecimal(s string) (decimal, bool) {
	var d decimal
	switch {
	case strings.HasPrefix(s, "-"):
		d.neg, s = true, s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exp, err := strconv.Atoi(s[i+1:])
		if err != nil || exp > 1<<30 || exp < -1<<30 {
			return d, false
		}
		d.exp, s = exp, s[:i]
	}
	whole, frac, _ := strings.Cut(s, ".")
	digits := whole + frac
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return d, false
	}
	d.exp -= len(frac)
	d.digits = strings.TrimRight(digits, "0")
	d.exp += len(digits) - len(d.digits)
	d.digits = strings.TrimLeft(d.digits, "0")
	return d, true
}

func (d decimal) int64() (int64, bool) {
	if d.exp < 0 || len(d.digits)+d.exp > 19 {
		return 0, false
	}
	text := d.digits + strings.Repeat("0", d.exp)
	if d.neg {
		text = "-" + text
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil
}

// float is the float equal to d, where there is one. A fraction in binary ends
// in 5 in decimal and has at most some 770 digits.
func (d decimal) float() (float64, bool) {
	if d.exp < 0 && d.digits[len(d.digits)-1] != '5' || len(d.digits) > 800 {
		return 0, false
	}
	f, err := strconv.ParseFloat(d.String(), 64)
	if err != nil || math.IsInf(f, 0) || f == 0 {
		return 0, false
	}
	exact, ok := new(big.Rat).SetString(d.String())
	if !ok || exact.Cmp(new(big.Rat).SetFloat64(f)) != 0 {
		return 0, false
	}
	return f, true
}
