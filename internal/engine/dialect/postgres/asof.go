package postgres

import (
	"fmt"
	"strings"
	"time"
)

// InstantMark is part of every literal that Now writes.
const InstantMark = "+00' AS timestamptz)"

// Now spells the literal that stands for a token meaning now. Dates and local
// times are taken from the instant by the server, in the session's time zone,
// as it would itself.
func Now(token string, at time.Time) (string, bool) {
	if kind, word, ok := strings.Cut(token, " '"); ok {
		return nowText(kind, strings.TrimSuffix(word, "'"), at)
	}
	name, precision, ok := nowToken(token)
	if !ok {
		return "", false
	}
	instant := "CAST('" + at.UTC().Format("2006-01-02 15:04:05.999999") + InstantMark
	as := func(typ string) (string, bool) {
		return "CAST(" + instant + " AS " + fmt.Sprintf(typ, precision) + ")", true
	}
	switch name {
	case "now", "transaction_timestamp", "statement_timestamp", "clock_timestamp":
		return instant, precision == ""
	case "current_timestamp":
		if precision == "" {
			return instant, true
		}
		return as("timestamptz%s")
	case "localtimestamp":
		return as("timestamp%s")
	case "current_date":
		return "CAST(" + instant + " AS date)", precision == ""
	case "current_time":
		return as("time%s with time zone")
	case "localtime":
		return as("time%s")
	case "timeofday":
		return "to_char(" + instant + ", 'Dy Mon DD HH24:MI:SS.US YYYY TZ')", precision == ""
	}
	return "", false
}

// nowToken takes "current_timestamp (3)" apart; calls of functions must have
// no argument, keywords may have a precision.
func nowToken(token string) (name, precision string, ok bool) {
	token = strings.ToLower(strings.Join(strings.Fields(token), ""))
	token = strings.TrimPrefix(token, "pg_catalog.")
	name, rest, call := strings.Cut(token, "(")
	keyword := strings.HasPrefix(name, "current_") || strings.HasPrefix(name, "local")
	if !call {
		return name, "", keyword
	}
	args, closed := strings.CutSuffix(rest, ")")
	switch {
	case !closed:
		return "", "", false
	case keyword:
		if len(args) != 1 || args[0] < '0' || args[0] > '6' {
			return "", "", false
		}
		return name, "(" + args + ")", true
	}
	return name, "", args == ""
}

// nowText spells 'now', 'today', 'tomorrow' and 'yesterday' as the text of a
// date or time. Days are those of at's own location.
func nowText(kind, word string, at time.Time) (string, bool) {
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
	switch word {
	case "now":
		day = at
	case "today":
	case "tomorrow":
		day = day.AddDate(0, 0, 1)
	case "yesterday":
		day = day.AddDate(0, 0, -1)
	default:
		return "", false
	}
	layout := ""
	switch kind {
	case "date":
		layout = "2006-01-02"
	case "timestamp":
		layout = "2006-01-02 15:04:05.999999"
	case "timestamptz", "zone":
		layout = "2006-01-02 15:04:05.999999-07:00"
	case "time":
		layout = "15:04:05.999999"
	case "timetz":
		layout = "15:04:05.999999-07:00"
	default:
		return "", false
	}
	return "'" + day.Format(layout) + "'", true
}
