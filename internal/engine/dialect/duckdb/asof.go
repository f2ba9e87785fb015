package duckdb

import (
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// clocks are the functions that tell the time, by the type they give.
var clocks = map[string]string{
	"now":                    "TIMESTAMPTZ",
	"current_timestamp":      "TIMESTAMPTZ",
	"get_current_timestamp":  "TIMESTAMPTZ",
	"transaction_timestamp":  "TIMESTAMPTZ",
	"localtimestamp":         "TIMESTAMP",
	"current_localtimestamp": "TIMESTAMP",
	"today":                  "DATE",
	"current_date":           "DATE",
	"current_time":           "TIMETZ",
	"get_current_time":       "TIMETZ",
	"localtime":              "TIME",
	"current_localtime":      "TIME",
}

// bareClocks are those that a word without brackets calls; any other word
// is a column.
var bareClocks = map[string]bool{"current_date": true, "current_time": true, "current_timestamp": true, "localtime": true, "localtimestamp": true}

// clockNames is the order in which Clock makes them.
var clockNames = []string{
	"now", "current_timestamp", "get_current_timestamp", "transaction_timestamp", "localtimestamp",
	"current_localtimestamp", "today", "current_date", "current_time", "get_current_time", "localtime", "current_localtime",
}

// Now spells the literal of a token ("now()", "CURRENT_DATE") at a time: the
// instant for types with a zone, else the time of its own location.
func Now(token string, at time.Time) (string, bool) {
	name := strings.ToLower(strings.TrimSpace(token))
	if open := strings.IndexByte(name, '('); open >= 0 {
		name = strings.TrimSpace(name[:open])
	} else if !bareClocks[name] {
		return "", false
	}
	kind, ok := clocks[name]
	if !ok {
		return "", false
	}
	layout := map[string]string{
		"TIMESTAMPTZ": "2006-01-02 15:04:05.999999-07:00",
		"TIMESTAMP":   "2006-01-02 15:04:05.999999",
		"DATE":        "2006-01-02",
		"TIMETZ":      "15:04:05.999999-07:00",
		"TIME":        "15:04:05.999999",
	}[kind]
	return kind + " '" + at.Format(layout) + "'", true
}

// Clock freezes a connection's clock, views included: temporary macros of its
// own stand before the engine's functions. age and ago call the clock inside
// the engine and are told too.
func Clock(at time.Time) []db.Own {
	own := make([]db.Own, 0, len(clockNames)+2)
	for _, name := range clockNames {
		literal, _ := Now(name+"()", at)
		own = append(own, db.OwnSQL("CREATE TEMP MACRO "+Quote(name)+"() AS "+literal))
	}
	instant, _ := Now("now()", at)
	midnight := "TIMESTAMP '" + at.Format("2006-01-02") + " 00:00:00'"
	return append(own,
		db.OwnSQL("CREATE TEMP MACRO age(x) AS system.main.age("+midnight+", x), (a, b) AS system.main.age(a, b)"),
		db.OwnSQL("CREATE TEMP MACRO ago(i) AS "+instant+" - CAST(i AS INTERVAL)"))
}
