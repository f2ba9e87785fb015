package project

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
)

const second = time.Second

// USD is an amount of money in nano-dollars. A file holds dollars: 0.25.
type USD int64

// UnmarshalText reads dollars, exactly.
func (u *USD) UnmarshalText(text []byte) error {
	r, ok := new(big.Rat).SetString(string(text))
	if !ok || strings.ContainsAny(string(text), "/_xXoObBpP") || r.Sign() < 0 {
		return fmt.Errorf("%q is not an amount in dollars, such as 0.25", clip(text))
	}
	r.Mul(r, big.NewRat(1_000_000_000, 1))
	if !r.IsInt() || !r.Num().IsInt64() {
		return fmt.Errorf("%q has more digits than an amount may have", clip(text))
	}
	*u = USD(r.Num().Int64())
	return nil
}

// String is the amount in dollars, exactly, without trailing zeros.
func (u USD) String() string {
	whole, part := int64(u)/1_000_000_000, int64(u)%1_000_000_000
	if part == 0 {
		return strconv.FormatInt(whole, 10)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%09d", whole, part), "0")
}

// MarshalJSON writes dollars as a number.
func (u USD) MarshalJSON() ([]byte, error) { return []byte(u.String()), nil }

// Bytes is a size. A file holds a number of bytes or one with a unit: 10MB,
// 512kB; units are powers of 1,024.
type Bytes int64

var byteUnits = []struct {
	name string
	size int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"B", 1}}

// UnmarshalText reads a size.
func (b *Bytes) UnmarshalText(text []byte) error {
	digits, unit := strings.ToUpper(string(text)), int64(1)
	for _, u := range byteUnits {
		if number, ok := strings.CutSuffix(digits, u.name); ok {
			digits, unit = strings.TrimSpace(number), u.size
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || n > (1<<62)/unit {
		return fmt.Errorf("%q is not a size, such as 10MB", clip(text))
	}
	*b = Bytes(n * unit)
	return nil
}

// String is the size with the largest unit that divides it.
func (b Bytes) String() string {
	for _, u := range byteUnits {
		if u.size > 1 && b != 0 && int64(b)%u.size == 0 {
			return strconv.FormatInt(int64(b)/u.size, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// MarshalJSON writes the size as String does.
func (b Bytes) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, b.String()), nil }

// Duration is a time span. A file holds seconds or a number with a unit: 30,
// 30s, 2m, 1m30s.
type Duration time.Duration

// UnmarshalText reads a time span.
func (d *Duration) UnmarshalText(text []byte) error {
	s := string(text)
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		s += "s"
	}
	span, err := time.ParseDuration(s)
	if err != nil || span <= 0 {
		return fmt.Errorf("%q is not a time span, such as 30s", clip(text))
	}
	*d = Duration(span)
	return nil
}

// String is the time span with its units.
func (d Duration) String() string { return time.Duration(d).String() }

// MarshalJSON writes the time span as String does.
func (d Duration) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, d.String()), nil }

func clip(text []byte) string {
	if len(text) > 40 {
		return strings.ToValidUTF8(string(text[:40]), "") + "…"
	}
	return string(text)
}
