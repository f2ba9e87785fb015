// Package meter knows what model calls cost: prices with their dates, the
// cost of tokens, and budgets that many workers share and none can exceed.
package meter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// USD is an amount in micro-dollars.
type USD int64

// Dollar is one dollar.
const Dollar USD = 1_000_000

// ParseUSD reads an amount in dollars, such as 0.25 or $5, exact to the
// micro-dollar.
func ParseUSD(s string) (USD, error) {
	n, err := decimal(strings.TrimPrefix(strings.TrimSpace(s), "$"), 6)
	if err != nil {
		return 0, fmt.Errorf("amount %q: %w", s, err)
	}
	return USD(n), nil
}

// decimal reads a plain non-negative decimal number and scales it by
// 10^places, refusing digits beyond them.
func decimal(s string, places int) (int64, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > places {
		return 0, fmt.Errorf("more than %d digits after the point", places)
	}
	digits := whole + fraction + strings.Repeat("0", places-len(fraction))
	if whole+fraction == "" && !strings.Contains(s, "0") || strings.Trim(digits, "0123456789") != "" {
		return 0, errors.New("not a plain amount of dollars such as 0.25")
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, errors.New("too large")
	}
	return n, nil
}

// String gives the amount for people: cents, and up to four digits where they
// say something; below that, all six.
func (u USD) String() string {
	if u < 0 {
		return "-" + (-u).String()
	}
	places := 4
	if u > 0 && u < 100 {
		places = 6
	} else {
		u = (u + 50) / 100 * 100
	}
	s := fmt.Sprintf("%d.%06d", u/Dollar, u%Dollar)
	s = s[:len(s)-6+places]
	for strings.HasSuffix(s, "0") && len(s)-strings.IndexByte(s, '.') > 3 {
		s = s[:len(s)-1]
	}
	return "$" + s
}

// Dollars gives the amount as an exact JSON number of dollars.
func (u USD) Dollars() json.Number {
	sign := ""
	if u < 0 {
		sign, u = "-", -u
	}
	return json.Number(strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%s%d.%06d", sign, u/Dollar, u%Dollar), "0"), "."))
}
