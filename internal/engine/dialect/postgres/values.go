package postgres

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Value reads a value of a type, named as format_type names it, from the
// server's text form. What does not read as its type stays text.
func Value(typ, text string) db.Value {
	if item, ok := strings.CutSuffix(typ, "[]"); ok {
		if v, ok := list(item, text); ok {
			return v
		}
		return db.TextValue(text)
	}
	name, _, _ := strings.Cut(typ, "(")
	switch name {
	case "smallint", "integer", "bigint", "oid":
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return db.IntValue(i)
		}
	case "real", "double precision":
		return float(text)
	case "numeric":
		return decimal(text)
	case "boolean":
		return db.BoolValue(text == "t" || text == "true")
	case "bytea":
		if raw, err := hex.DecodeString(strings.TrimPrefix(text, `\x`)); err == nil {
			return db.BlobValue(raw)
		}
	case "date":
		return db.LiteralValue(db.Date, text)
	case "time without time zone", "time with time zone":
		return db.LiteralValue(db.Clock, text)
	case "timestamp without time zone":
		return db.LiteralValue(db.Timestamp, text)
	case "timestamp with time zone":
		return db.LiteralValue(db.TimestampTZ, utc(text))
	case "interval":
		return db.LiteralValue(db.Interval, text)
	case "json", "jsonb":
		return db.LiteralValue(db.JSON, text)
	}
	return db.TextValue(text)
}

func float(text string) db.Value {
	switch text {
	case "NaN":
		return db.FloatValue(math.NaN())
	case "Infinity":
		return db.FloatValue(math.Inf(1))
	case "-Infinity":
		return db.FloatValue(math.Inf(-1))
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return db.TextValue(text)
	}
	return db.FloatValue(f)
}

func decimal(text string) db.Value {
	switch text {
	case "Infinity":
		text = "inf"
	case "-Infinity":
		text = "-inf"
	}
	return db.LiteralValue(db.Decimal, text)
}

// utc moves "2026-11-30 09:05:00.25+01:30" to "2026-11-30 07:35:00.25+00:00".
// Infinity and years before Christ keep the server's words.
func utc(text string) string {
	sign := strings.LastIndexAny(text, "+-")
	space := strings.IndexByte(text, ' ')
	if space < 0 || sign < space || strings.HasSuffix(text, " BC") {
		return text
	}
	offset, ok := zone(text[sign:])
	if !ok {
		return text
	}
	year, monthDay, _ := strings.Cut(text[:space], "-")
	y, err := strconv.Atoi(year)
	if err != nil {
		return text
	}
	clock, fraction, _ := strings.Cut(text[space+1:sign], ".")
	at, err := time.Parse("01-02 15:04:05", monthDay+" "+clock)
	if monthDay == "02-29" {
		at, err = time.Parse("2006-01-02 15:04:05", "2000-"+monthDay+" "+clock)
	}
	if err != nil {
		return text
	}
	at = time.Date(y, at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC).Add(-offset)
	out := strconv.Itoa(at.Year())
	for len(out) < 4 {
		out = "0" + out
	}
	out += at.Format("-01-02 15:04:05")
	if fraction != "" {
		out += "." + fraction
	}
	return out + "+00:00"
}

// zone reads +01, -03:30, +00:19:32.
func zone(text string) (time.Duration, bool) {
	var total time.Duration
	unit := time.Hour
	for part := range strings.SplitSeq(text[1:], ":") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return 0, false
		}
		total += time.Duration(n) * unit
		unit /= 60
	}
	if text[0] == '-' {
		total = -total
	}
	return total, true
}

// list reads an array literal: {1,NULL,"a \"b\""}, {{1,2},{3,4}},
// [0:1]={1,2}.
func list(item, text string) (db.Value, bool) {
	if strings.HasPrefix(text, "[") {
		_, rest, ok := strings.Cut(text, "=")
		if !ok {
			return db.Value{}, false
		}
		text = rest
	}
	p := arrayReader{text: text, item: item}
	v, ok := p.list()
	return v, ok && p.at == len(text)
}

type arrayReader struct {
	text, item string
	at         int
}

func (p *arrayReader) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *arrayReader) list() (db.Value, bool) {
	if p.peek() != '{' {
		return db.Value{}, false
	}
	p.at++
	delimiter := byte(',')
	if p.item == "box" {
		delimiter = ';'
	}
	items := []db.Value{}
	if p.peek() == '}' {
		p.at++
		return db.ListValue(items...), true
	}
	for {
		v, ok := p.element(delimiter)
		if !ok {
			return v, false
		}
		items = append(items, v)
		switch p.peek() {
		case delimiter:
			p.at++
		case '}':
			p.at++
			return db.ListValue(items...), true
		default:
			return db.Value{}, false
		}
	}
}

func (p *arrayReader) element(delimiter byte) (db.Value, bool) {
	switch p.peek() {
	case '{':
		return p.list()
	case '"':
		var b strings.Builder
		for p.at++; p.peek() != '"'; p.at++ {
			if p.peek() == '\\' {
				p.at++
			}
			if p.at >= len(p.text) {
				return db.Value{}, false
			}
			b.WriteByte(p.text[p.at])
		}
		p.at++
		return Value(p.item, b.String()), true
	}
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != delimiter && p.text[p.at] != '}' {
		p.at++
	}
	word := p.text[start:p.at]
	if word == "NULL" {
		return db.Value{}, true
	}
	return Value(p.item, word), word != ""
}
