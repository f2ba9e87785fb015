package sqlite

import (
	"strings"
	"time"
)

// clocks are the functions that take the text 'now' for a time.
var clocks = map[string]bool{"date": true, "time": true, "datetime": true, "julianday": true, "unixepoch": true, "strftime": true, "timediff": true}

// Now spells what stands for a place that means now (guard.AsOf lists them):
// the three keywords, the text 'now' of a date function, and a date function
// without a time.
func Now(token string, at time.Time) (string, bool) {
	utc := at.UTC()
	moment := "'" + utc.Format("2006-01-02 15:04:05.000") + "'"
	switch name := strings.ToLower(token); name {
	case "current_timestamp", "datetime()":
		return "'" + utc.Format(time.DateTime) + "'", true
	case "current_date", "date()":
		return "'" + utc.Format(time.DateOnly) + "'", true
	case "current_time", "time()":
		return "'" + utc.Format(time.TimeOnly) + "'", true
	case "julianday()", "unixepoch()":
		return strings.TrimSuffix(name, ")") + moment + ")", true
	}
	if call, text, ok := strings.Cut(token, ":"); ok && clocks[strings.ToLower(call)] {
		return moment, strings.EqualFold(text, "'now'")
	}
	if format, ok := strings.CutSuffix(token, ")"); ok && strings.HasPrefix(strings.ToLower(token), "strftime('") {
		return format + ", " + moment + ")", true
	}
	return "", false
}
