package mysql

import (
	"fmt"
	"strings"
	"time"
)

// nowMark is how the literals of Now begin; no server prints it.
const nowMark = "/* now */ "

// Frozen reports whether a statement holds literals of Now.
func Frozen(sql string) bool { return strings.Contains(sql, nowMark) }

// Now spells the literal that stands for a token meaning now. The session's
// clock is frozen too (see Clock); the literals also cover SYSDATE, which
// that does not reach.
func Now(token string, at time.Time) (string, bool) {
	name, args, call := strings.Cut(strings.ToLower(strings.Join(strings.Fields(token), "")), "(")
	digits, closed := strings.CutSuffix(args, ")")
	if call && (!closed || len(digits) > 1 || digits != "" && (digits[0] < '0' || digits[0] > '6')) {
		return "", false
	}
	fraction := ""
	if digits != "" && digits != "0" {
		fraction = "." + strings.Repeat("0", int(digits[0]-'0'))
	}
	keyword := strings.HasPrefix(name, "current_") || strings.HasPrefix(name, "local") || strings.HasPrefix(name, "utc_")
	if !call && !keyword {
		return "", false
	}
	utc := at.UTC()
	switch name {
	case "now", "current_timestamp", "localtime", "localtimestamp", "sysdate":
		return nowMark + "TIMESTAMP'" + at.Format("2006-01-02 15:04:05"+fraction) + "'", true
	case "curdate", "current_date":
		return nowMark + "DATE'" + at.Format(time.DateOnly) + "'", digits == ""
	case "curtime", "current_time":
		return nowMark + "TIME'" + at.Format("15:04:05"+fraction) + "'", true
	case "utc_timestamp":
		return nowMark + "TIMESTAMP'" + utc.Format("2006-01-02 15:04:05"+fraction) + "'", true
	case "utc_date":
		return nowMark + "DATE'" + utc.Format(time.DateOnly) + "'", digits == ""
	case "utc_time":
		return nowMark + "TIME'" + utc.Format("15:04:05"+fraction) + "'", true
	case "unix_timestamp":
		return nowMark + fmt.Sprint(at.Unix()), digits == ""
	}
	return "", false
}
