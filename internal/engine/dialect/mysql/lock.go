package mysql

import (
	"fmt"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// settings are what the two products call the same thing.
type settings struct {
	readOnly  string                     // the session's default for transactions
	recursion string                     // how often a recursive WITH may repeat
	timeout   func(time.Duration) string // an assignment
}

var (
	mysqlSettings = settings{"transaction_read_only", "cte_max_recursion_depth", func(d time.Duration) string {
		return fmt.Sprintf("max_execution_time = %d", max(d.Milliseconds(), 1))
	}}
	mariaSettings = settings{"tx_read_only", "max_recursive_iterations", func(d time.Duration) string {
		return fmt.Sprintf("max_statement_time = %.3f", max(d.Seconds(), 0.001))
	}}
)

// Lock speaks to one product; Maria says which.
type Lock struct {
	Maria bool
	Modes string // the sql_mode of the session, see Modes
	// AsOf freezes the session's clock, the zero time leaves it.
	AsOf time.Time
}

func (l Lock) settings() settings {
	if l.Maria {
		return mariaSettings
	}
	return mysqlSettings
}

// keptModes decide what a statement means to the engine and not how its text
// is read; the others (ANSI_QUOTES, NO_BACKSLASH_ESCAPES, ORACLE, …) would
// have the lexer and the server read two different statements.
var keptModes = []string{"ONLY_FULL_GROUP_BY", "STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "NO_ZERO_IN_DATE", "NO_ZERO_DATE",
	"ERROR_FOR_DIVISION_BY_ZERO", "NO_ENGINE_SUBSTITUTION", "PAD_CHAR_TO_FULL_LENGTH", "NO_UNSIGNED_SUBTRACTION"}

// Modes is what remains of a server's sql_mode.
func Modes(mode string) string {
	var kept []string
	for _, word := range strings.Split(strings.ToUpper(mode), ",") {
		for _, keep := range keptModes {
			if word == keep {
				kept = append(kept, word)
			}
		}
	}
	return strings.Join(kept, ",")
}

// What a server would cut short without an error: the time limit guards the
// first, and a text beyond the second is told of in the warnings.
const (
	mostRecursion   = 4294967295
	longestConcat   = 64 << 20
	wholeStatements = "%s = %d, group_concat_max_len = %d"
)

func (v settings) whole() string {
	return fmt.Sprintf(wholeStatements, v.recursion, mostRecursion, longestConcat)
}

// Before is run ahead of every statement of a model: nothing that an earlier
// one may have set survives.
func (l Lock) Before(rows int, limit time.Duration) db.Own {
	v := l.settings()
	clock := "DEFAULT"
	if !l.AsOf.IsZero() {
		clock = fmt.Sprintf("%d.%06d", l.AsOf.Unix(), l.AsOf.Nanosecond()/1000)
	}
	return db.OwnSQL(fmt.Sprintf("SET SESSION %s = 1, sql_mode = '%s', sql_select_limit = %d, lock_wait_timeout = 5, max_sort_length = 1024, timestamp = %s, %s, %s",
		v.readOnly, l.Modes, rows, clock, v.whole(), v.timeout(limit)))
}

// Free lifts the limits for the product's own statements.
func (l Lock) Free() db.Own {
	v := l.settings()
	off := "max_execution_time = 0"
	if l.Maria {
		off = "max_statement_time = 0"
	}
	return db.OwnSQL(fmt.Sprintf("SET SESSION %s = 1, sql_mode = '%s', sql_select_limit = DEFAULT, timestamp = DEFAULT, %s", v.readOnly, l.Modes, off))
}

// The statements around a session. The session itself is read only, since a
// transaction alone lets a definition commit it and go through.
var (
	Begin    = db.OwnSQL("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
	Rollback = db.OwnSQL("ROLLBACK")
	// Ready tells the connection apart, for KILL, and the server's mode.
	Ready = db.OwnSQL("SELECT CONNECTION_ID(), @@GLOBAL.sql_mode, VERSION(), CURRENT_USER(), COALESCE(DATABASE(), '')")
)

// ShowWarnings is what the last statement was warned of: level, number, message.
var ShowWarnings = db.OwnSQL("SHOW WARNINGS")

// Cut is the error behind a warning that a value of the result was cut or is
// missing, nil where every value is what the statement says.
func Cut(code, message string) *db.Error {
	e := &db.Error{Kind: db.ErrTooBig, Code: code, Message: message, Offset: -1}
	switch code {
	case "1260":
		e.Message += fmt.Sprintf(": GROUP_CONCAT gives at most %d bytes here; aggregate fewer rows, or select them", longestConcat)
	case "1301":
		e.Message += ": the value would be NULL; make it shorter, or raise max_allowed_packet on the server"
	case "1264":
		e.Kind = db.ErrType
		e.Message += ": the value was set to the nearest one that the type holds; use a type with more digits"
	case "1931":
		e.Message += "; leave LIMIT ROWS EXAMINED out"
	default:
		return nil
	}
	return e
}

// Kill stops what a connection runs.
func Kill(id int64) db.Own { return db.OwnSQL(fmt.Sprintf("KILL QUERY %d", id)) }

// ViewBodies are the definitions of all views of the named schemas.
func ViewBodies(schemas []string) db.Own {
	return db.OwnSQL("SELECT table_schema, table_name, view_definition FROM information_schema.views WHERE table_schema IN (" + texts(schemas) + ") ORDER BY 1, 2")
}

// TableNames and ColumnNames are what may have been meant.
func TableNames() db.Own {
	return db.OwnSQL("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1")
}

// ColumnNames are the columns of some tables.
func ColumnNames(tables []string) db.Own {
	return db.OwnSQL("SELECT DISTINCT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN (" + texts(tables) + ") ORDER BY 1")
}

// texts is a list of literals, for names that stand in a statement.
func texts(words []string) string {
	if len(words) == 0 {
		return "''"
	}
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = fmt.Sprintf("0x%x", word)
		if word == "" {
			out[i] = "''"
		} else {
			out[i] = "CONVERT(" + out[i] + " USING utf8mb4)"
		}
	}
	return strings.Join(out, ", ")
}

// hostLock makes the session read only and puts that back afterwards.
func (v settings) hostLock() db.HostLock {
	return db.HostLock{
		Keep:    db.OwnSQL("SELECT @@SESSION." + v.readOnly + ", @@SESSION.sql_mode, @@SESSION." + v.recursion + ", @@SESSION.group_concat_max_len"),
		Begin:   []db.Own{db.OwnSQL("SET SESSION " + v.readOnly + " = 1, sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', " + v.whole()), Begin},
		End:     []db.Own{Rollback},
		Timeout: func(d time.Duration) db.Own { return db.OwnSQL("SET SESSION " + v.timeout(d)) },
		Restore: func(kept []db.Value) []db.Own {
			if len(kept) != 4 {
				return nil
			}
			return []db.Own{db.OwnSQL(fmt.Sprintf("SET SESSION %s = %s, sql_mode = %s, %s = %s, group_concat_max_len = %s, %s",
				v.readOnly, digits(kept[0]), texts([]string{kept[1].Raw()}), v.recursion, digits(kept[2]), digits(kept[3]), v.none()))}
		},
		Lacks: []string{
			"the engine's own grammar: functions and tables are held against the lists by the statement's tokens",
			"a look at what views call",
			"a KILL QUERY when the caller gives up: the server goes on until its time limit",
			"a reset of the connection: named locks outlive the statement",
			"a look at the server's warnings: a text that GROUP_CONCAT cut at 64 MB or a packet's length is not told of",
			"a check of the credential: connect with a user that may only read",
		},
	}
}

// digits is the text of a number, 0 for what is not one.
func digits(v db.Value) string {
	if text := v.String(); v.Kind() == db.Int || v.Kind() == db.Decimal && strings.Trim(text, "0123456789") == "" {
		return text
	}
	return "0"
}

// none is the assignment that lifts the time limit.
func (v settings) none() string {
	name, _, _ := strings.Cut(v.timeout(time.Second), " ")
	return name + " = DEFAULT"
}
