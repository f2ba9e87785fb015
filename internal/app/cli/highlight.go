package cli

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// highlight marks keywords, texts and numbers of SQL, and makes it safe to
// show. Text that the lexer cannot read is shown without marks.
func highlight(rules sqltext.Rules, sql string, style term.Style) string {
	sql = strings.TrimSpace(sql)
	script := sqltext.Scan(sql, &rules)
	var b strings.Builder
	at := 0
	for i, t := range script.Tokens {
		b.WriteString(term.CleanLines(sql[at:t.Start]))
		text := term.CleanLines(sql[t.Start:t.End])
		switch {
		case t.Kind == sqltext.Word && script.Key(i) != 0 && isUpper(text):
			text = style.Accent(text)
		case t.Kind == sqltext.String:
			text = style.Text(text)
		}
		b.WriteString(text)
		at = int(t.End)
	}
	b.WriteString(term.CleanLines(sql[at:]))
	return b.String()
}

// isUpper tells a keyword as models write them from a column that is called
// like one.
func isUpper(s string) bool { return s == strings.ToUpper(s) }
