package sqlite

import (
	"strings"
	"time"
)

// Now spells what stands for a token that means now: the three keywords, the
// text 'now' of a date function, and a date function without arguments.
func Now(token string, at time.Time) (string, bool) {
	name := strings.ToLower(strings.Join(strings.Fields(token), ""))
	utc := at.UTC()
	moment := "'" + utc.Format("2006-01-02 15:04:05.000") + "'"
	switch name {
	case "current_timestamp", "datetime()":
		return "'" + utc.Format(time.DateTime) + "'", true
	case "current_date", "date()":
		return "'" + utc.Format(time.DateOnly) + "'", true
	case "current_time", "time()":
		return "'" + utc.Format(time.TimeOnly) + "'", true
	case "'now'", "now":
		return moment, true
	case "julianday()", "unixepoch()":
		return strings.TrimSuffix(name, ")") + moment + ")", true
	}
	return "", false
}
