// Package show lays answers out for a terminal.
package show

import (
	"fmt"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// shownRows is how many rows a terminal gets; --json has them all.
const shownRows = 20

// Answer is an answer with its plan, its SQL, its first rows and what it rests
// on and cost; rules are those of its SQL.
func Answer(s *term.Streams, rules sqltext.Rules, a agent.Answer) string {
	var b strings.Builder
	style := s.Style
	if a.Plan != "" && (a.Answered || a.SQL != "") {
		fmt.Fprintf(&b, "%s %s   %s\n", style.Accent(style.Step), style.Dim("plan"), term.Wrap(term.Clean(oneLine(a.Plan)), s.Width, 9, 9))
	}
	if a.SQL != "" {
		b.WriteString(indentLines(Highlight(rules, a.SQL, s.Width-2, style), "  ") + "\n")
	}
	if !a.Answered {
		b.WriteString(renderNoAnswer(s, a))
		return b.String()
	}
	b.WriteString("\n" + renderRows(s, a) + "\n")
	b.WriteString(renderFacts(s, a))
	return b.String()
}

func renderNoAnswer(s *term.Streams, a agent.Answer) string {
	var b strings.Builder
	style := s.Style
	said := func(text string) {
		fmt.Fprintf(&b, "%s %s\n", style.Wrong(style.Bad), term.Wrap(text, s.Width, term.Width(style.Bad)+1, 2))
	}
	if a.GaveUp() {
		said("Cannot be answered from this database: " + sentence(a.Reason))
		if len(a.Nearest) > 0 {
			fmt.Fprintf(&b, "  %s.\n", term.Wrap("Nearest: "+term.Clean(strings.Join(a.Nearest, ", ")), s.Width-1, 2, 2))
		}
	} else {
		said("No answer: " + sentence(a.Reason))
		for i, attempt := range a.Attempts {
			if differ(a.Attempts) {
				fmt.Fprintf(&b, "  %s\n", term.Wrap(fmt.Sprintf("attempt %d: %s", i+1, sentence(attempt.Error)), s.Width, 2, 4))
			}
		}
	}
	b.WriteString(renderFacts(s, a))
	return b.String()
}

// differ reports whether attempts failed in more than one way.
func differ(attempts []agent.Attempt) bool {
	for _, a := range attempts {
		if a.Error != attempts[0].Error {
			return true
		}
	}
	return false
}

func renderFacts(s *term.Streams, a agent.Answer) string {
	var b strings.Builder
	for _, line := range strings.Split(term.Wrap(strings.Join(facts(a), " "+s.Style.Dot+" "), s.Width, 2, 2), "\n") {
		b.WriteString("  " + s.Style.Dim(strings.TrimSpace(line)) + "\n")
	}
	return b.String()
}

func renderRows(s *term.Streams, a agent.Answer) string {
	if len(a.Columns) == 0 {
		return "  " + s.Style.Dim("the query has no columns") + "\n"
	}
	rows := a.Rows[:min(len(a.Rows), shownRows)]
	t := term.Table{Indent: 2, Right: make([]bool, len(a.Columns)), Rows: make([][]string, len(rows))}
	for i, c := range a.Columns {
		t.Header = append(t.Header, c.Name)
		t.Right[i] = numeric(a.Rows, i)
		grouped := t.Right[i] && !namesThings(c.Name) && large(rows, i)
		for j, row := range rows {
			t.Rows[j] = append(t.Rows[j], cell(row[i], grouped))
		}
	}
	return t.Render(s.Width, s.Style)
}

// numeric reports whether a column holds numbers, NULLs aside.
func numeric(rows [][]db.Value, column int) bool {
	found := false
	for _, row := range rows {
		switch row[column].Kind() {
		case db.Null:
		case db.Int, db.Float, db.Decimal:
			found = true
		default:
			return false
		}
	}
	return found
}

// large reports a number of five or more digits: below that, grouping would
// touch years and help nobody.
func large(rows [][]db.Value, column int) bool {
	for _, row := range rows {
		whole, _, _ := strings.Cut(strings.TrimPrefix(row[column].String(), "-"), ".")
		if len(whole) >= 5 && row[column].Kind() != db.Null {
			return true
		}
	}
	return false
}

// cell is a value for people, its thousands apart where the column's are.
func cell(v db.Value, grouped bool) string {
	switch {
	case v.Kind() == db.Text, v.Kind() == db.JSON:
		return v.Raw()
	case grouped:
		return term.Thousands(v.String())
	}
	return v.String()
}

// namesThings tells columns whose numbers are names from those that count.
func namesThings(column string) bool {
	c := strings.ToLower(column)
	for _, end := range []string{"id", "key", "code", "zip", "year", "number", "no", "nr"} {
		if c == end || strings.HasSuffix(c, "_"+end) || strings.HasSuffix(column, strings.ToUpper(end[:1])+end[1:]) {
			return true
		}
	}
	return false
}

// facts are the last line: what it rests on and what it cost.
func facts(a agent.Answer) []string {
	var list []string
	if a.Answered {
		rows := counted(len(a.Rows), "row")
		switch {
		case a.Truncated != db.Whole:
			rows = "the first " + rows + ", there are more"
		case len(a.Rows) > shownRows:
			rows += fmt.Sprintf(", %d shown (--json has all)", shownRows)
		}
		list = append(list, rows)
		for _, name := range a.UsedAssets {
			list = append(list, "trusted query "+term.Clean(name))
		}
		if a.Confidence != "" {
			list = append(list, "confidence "+string(a.Confidence))
		}
		if n := len(a.Attempts); n > 1 {
			list = append(list, counted(n-1, "repair"))
		}
	}
	cost := "price unknown"
	if a.Cost != nil {
		cost = a.Cost.String()
	}
	if a.Replayed {
		cost = "replayed, would have cost " + cost
	}
	list = append(list, counted(a.Calls, "call")+", "+counted(int(a.Usage.Total()), "token")+", "+cost)
	if t := times(a.Latency); t != "" {
		list = append(list, t)
	}
	if len(a.TraceID) > 8 {
		list = append(list, "trace "+a.TraceID[:8])
	}
	return list
}

func times(l agent.Latency) string {
	var total time.Duration
	for _, d := range l {
		total += d
	}
	if total == 0 {
		return ""
	}
	text := term.Seconds(total) + " s"
	if database := l[agent.Prepare] + l[agent.Execute]; database > 0 {
		text += fmt.Sprintf(" (model %s, database %s)", term.Seconds(l[agent.Model]), term.Seconds(database))
	}
	return text
}

func counted(n int, noun string) string { return term.Counted(n, noun) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func sentence(s string) string {
	s = term.Clean(oneLine(term.NoHTML(s)))
	if s != "" && !strings.ContainsAny(s[len(s)-1:], ".?!") && !strings.HasSuffix(s, "…") {
		s += "."
	}
	return s
}

func indentLines(s, by string) string { return by + strings.ReplaceAll(s, "\n", "\n"+by) }
