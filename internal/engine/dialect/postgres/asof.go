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
