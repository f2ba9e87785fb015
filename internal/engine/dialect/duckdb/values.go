package duckdb

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

const (
	maxTZOffset   = 16*60*60 - 1
	infinityWord  = "infinity"
	minusInfinity = "-infinity"
)

// DateValue is a DATE, given in days since 1970.
func DateValue(days int32) db.Value {
	switch days {
	case math.MaxInt32:
		return db.LiteralValue(db.Date, infinityWord)
	case -math.MaxInt32:
		return db.LiteralValue(db.Date, minusInfinity)
	}
	return db.LiteralValue(db.Date, dateText(int64(days)))
}

// dateText spells years before 1 as DuckDB does: "0044-03-15 (BC)".
func dateText(days int64) string {
	year, month, day := time.Unix(days*86400, 0).UTC().Date()
	if year > 0 {
		return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
	}
	return fmt.Sprintf("%04d-%02d-%02d (BC)", 1-year, month, day)
}

// TimestampValue is a TIMESTAMP, given in units of 1/perSecond s since 1970.
func TimestampValue(units, perSecond int64) db.Value {
	return timestamp(db.Timestamp, units, perSecond, "")
}

// TimestampTZValue is a TIMESTAMP WITH TIME ZONE, given in µs since 1970.
func TimestampTZValue(micros int64) db.Value {
	return timestamp(db.TimestampTZ, micros, 1_000_000, "+00:00")
}

func timestamp(kind db.ValueKind, units, perSecond int64, zone string) db.Value {
	switch units {
	case math.MaxInt64:
		return db.LiteralValue(kind, infinityWord)
	case -math.MaxInt64:
		return db.LiteralValue(kind, minusInfinity)
	}
	perDay := 86400 * perSecond
	days, rest := units/perDay, units%perDay
	if rest < 0 {
		days, rest = days-1, rest+perDay
	}
	return db.LiteralValue(kind, dateText(days)+" "+clockText(rest, perSecond)+zone)
}

// TimeValue is a TIME, given in units of 1/perSecond s since midnight.
func TimeValue(units, perSecond int64) db.Value {
	return db.LiteralValue(db.Clock, clockText(units, perSecond))
}

// TimeTZValue is a TIME WITH TIME ZONE as the engine packs it: µs above, the
// offset in s below, counted down from its greatest value.
func TimeTZValue(bits uint64) db.Value {
	offset := maxTZOffset - int64(bits&0xFFFFFF)
	sign := "+"
	if offset < 0 {
		sign, offset = "-", -offset
	}
	zone := fmt.Sprintf("%s%02d:%02d", sign, offset/3600, offset/60%60)
	if offset%60 != 0 {
		zone += fmt.Sprintf(":%02d", offset%60)
	}
	return db.LiteralValue(db.Clock, clockText(int64(bits>>24), 1_000_000)+zone)
}

// clockText is hh:mm:ss and the fraction without trailing zeros.
func clockText(units, perSecond int64) string {
	seconds, fraction := units/perSecond, units%perSecond
	text := fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	if fraction == 0 {
		return text
	}
	width := len(strconv.FormatInt(perSecond, 10)) - 1
	return text + "." + strings.TrimRight(fmt.Sprintf("%0*d", width, fraction), "0")
}

// IntervalValue spells an INTERVAL as the engine prints it: "1 year 2 months
// 3 days 04:05:06.5".
func IntervalValue(months, days int32, micros int64) db.Value {
	var parts []string
	add := func(n int32, unit string) {
		if n == 0 {
			return
		}
		if n != 1 && n != -1 {
			unit += "s"
		}
		parts = append(parts, strconv.Itoa(int(n))+" "+unit)
	}
	add(months/12, "year")
	add(months%12, "month")
	add(days, "day")
	switch {
	case micros < 0:
		// The lowest value has no positive twin of 64 bits.
		whole := new(big.Int).Abs(big.NewInt(micros))
		seconds, fraction := new(big.Int).QuoRem(whole, big.NewInt(1_000_000), new(big.Int))
		parts = append(parts, "-"+spanText(seconds.Int64(), fraction.Int64()))
	case micros > 0 || len(parts) == 0:
		parts = append(parts, spanText(micros/1_000_000, micros%1_000_000))
	}
	return db.LiteralValue(db.Interval, strings.Join(parts, " "))
}

func spanText(seconds, micros int64) string {
	text := fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	if micros != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%06d", micros), "0")
	}
	return text
}

// WholeValue is a whole number of any size.
func WholeValue(n *big.Int) db.Value {
	if n.IsInt64() {
		return db.IntValue(n.Int64())
	}
	return db.LiteralValue(db.Decimal, n.String())
}

// DecimalValue is unscaled / 10^scale, with all digits of its scale.
func DecimalValue(unscaled *big.Int, scale int) db.Value {
	digits := new(big.Int).Abs(unscaled).String()
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	if scale > 0 {
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if unscaled.Sign() < 0 {
		digits = "-" + digits
	}
	return db.LiteralValue(db.Decimal, digits)
}

// UUIDValue is a UUID, stored with its top bit flipped so that it sorts.
func UUIDValue(upper int64, lower uint64) db.Value {
	hex := fmt.Sprintf("%016x%016x", uint64(upper)^1<<63, lower)
	return db.TextValue(hex[:8] + "-" + hex[8:12] + "-" + hex[12:16] + "-" + hex[16:20] + "-" + hex[20:])
}

// BitValue is a BIT: the number of unused bits, then the bits.
func BitValue(stored string) db.Value {
	if stored == "" {
		return db.TextValue("")
	}
	var b strings.Builder
	for i := 1; i < len(stored); i++ {
		fmt.Fprintf(&b, "%08b", stored[i])
	}
	bits := b.String()
	return db.TextValue(bits[min(int(stored[0]), len(bits)):])
}

// BignumValue is a BIGNUM: three bytes of sign and length, then the magnitude
// from its highest byte, all of them inverted when it is negative.
func BignumValue(stored string) db.Value {
	if len(stored) < 4 {
		return db.IntValue(0)
	}
	magnitude := []byte(stored[3:])
	positive := stored[0]&0x80 != 0
	if !positive {
		for i := range magnitude {
			magnitude[i] = ^magnitude[i]
		}
	}
	n := new(big.Int).SetBytes(magnitude)
	if !positive {
		n.Neg(n)
	}
	return WholeValue(n)
}
