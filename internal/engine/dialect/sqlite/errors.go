package sqlite

import (
	"regexp"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// messages tells errors apart by what the engine says; the first group, where
// there is one, is the name it is about.
var messages = []struct {
	pattern *regexp.Regexp
	kind    db.ErrorKind
}{
	{regexp.MustCompile(`no such column: (.+?)(?: - should this be a string literal in single-quotes\?)?$`), db.ErrUnknownColumn},
	{regexp.MustCompile(`cannot join using column (.+) - column not present in both tables`), db.ErrUnknownColumn},
	{regexp.MustCompile(`has no column named (.+)`), db.ErrUnknownColumn},
	{regexp.MustCompile(`no such table: (.+)`), db.ErrUnknownTable},
	{regexp.MustCompile(`no such table-valued function: (.+)`), db.ErrUnknownFunction},
	{regexp.MustCompile(`no such (?:function|window|collation sequence|module): (.+)`), db.ErrUnknownFunction},
	{regexp.MustCompile(`unable to use function (.+) in the requested context`), db.ErrUnknownFunction},
	{regexp.MustCompile(`ambiguous column name: (.+)`), db.ErrAmbiguous},
	{regexp.MustCompile(`ambiguous (?:reference to )?(.+)`), db.ErrAmbiguous},
	{regexp.MustCompile(`^(?:near ".*": )?syntax error|incomplete input|unrecognized token`), db.ErrSyntax},
	{regexp.MustCompile(`wrong number of arguments to function ([^(]+)`), db.ErrType},
	{regexp.MustCompile(`misuse of (?:aliased )?(?:aggregate|window function):? ?([^(]*)`), db.ErrType},
	{regexp.MustCompile(`datatype mismatch|integer overflow|malformed JSON|sub-select returns|do not have the same number of result columns|row value misused|out of range - should be between|HAVING clause on a non-aggregate|may not be used as a window function|expected \d+`), db.ErrType},
	{regexp.MustCompile(`database (?:schema )?is locked|database table is locked|locking protocol|a writer has it`), db.ErrLocked},
	{regexp.MustCompile(`file is not a database|disk image is malformed|unsupported file format|malformed database schema`), db.ErrNotADatabase},
	{regexp.MustCompile(`readonly database|read-only`), db.ErrReadOnly},
	{regexp.MustCompile(`not authorized|access to .* is prohibited|authorizer malfunction`), db.ErrPermission},
	{regexp.MustCompile(`interrupted`), db.ErrCanceled},
	{regexp.MustCompile(`too big|out of memory|too complex|too many|too large|too deep|stack overflow|database or disk is full|too long`), db.ErrResource},
	{regexp.MustCompile(`unable to open database file|disk I/O error`), db.ErrUnreachable},
}

// Classify tells an error of SQLite apart by its text; its code says less.
func Classify(code, message string) *db.Error {
	text := strings.TrimPrefix(message, "sqlite3: ")
	text = strings.TrimPrefix(text, "SQL logic error: ")
	for _, m := range messages {
		found := m.pattern.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		e := &db.Error{Kind: m.kind, Code: code, Message: text, Offset: -1}
		if len(found) > 1 {
			e.Name = strings.Trim(strings.TrimSpace(found[1]), `"'`)
		}
		return e
	}
	return nil
}
