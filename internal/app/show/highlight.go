package show

import (
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Highlight lays SQL out within width cells, unless whoever wrote it did, marks
// keywords and texts, and makes it safe to show.
func Highlight(rules sqltext.Rules, sql string, width int, style term.Style) string {
	sql = strings.TrimSpace(sql)
	if !strings.Contains(sql, "\n") {
		if width <= 0 {
			width = 100
		}
		sql = sqltext.Format(sql, &rules, width)
	}
	var b strings.Builder
	at := 0
	for _, span := range sqltext.Scan(sql, &rules).Spans() {
		b.WriteString(term.CleanLines(sql[at:span.Start]))
		text := term.CleanLines(sql[span.Start:span.End])
		switch span.Class {
		case sqltext.AsKeyword:
			text = style.Accent(text)
		case sqltext.AsText:
			text = style.Text(text)
		case sqltext.AsComment:
			text = style.Dim(text)
		}
		b.WriteString(text)
		at = span.End
	}
	b.WriteString(term.CleanLines(sql[at:]))
	return b.String()
}
