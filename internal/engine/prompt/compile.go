package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/internal/engine/values"
	"github.com/sqbyl/sqbyl/semantic"
)

// Prefix is the stable part of a prompt.
type Prefix struct {
	Text string
	// Hash is over the text and the version of the prompt it was made from.
	Hash string
	// Version is name and version of the built-in or overridden text.
	Version string
}

// Compile makes the prefix of a selection. The same selection, dialect and
// text give the same bytes.
func Compile(text Text, d *db.Dialect, s *selection.Selection) Prefix {
	var b strings.Builder
	b.WriteString(text.fill("dialect", d.Title))
	if d.Notes != "" {
		fmt.Fprintf(&b, "\n# %s\n\n%s\n", d.Title, strings.TrimSpace(d.Notes))
	}
	if s.Instructions != "" {
		fmt.Fprintf(&b, "\n# Instructions of this project\n\n%s\n", s.Instructions)
	}
	b.WriteString("\n# Tables\n")
	w := writer{b: &b, d: d, tables: s.Tables}
	for i := range s.Tables {
		w.table(&s.Tables[i])
	}
	assets(&b, s.Assets)
	examples(&b, s.Examples)

	p := Prefix{Text: b.String(), Version: text.Name + " " + text.Version}
	sum := sha256.Sum256([]byte(p.Version + "\n" + p.Text))
	p.Hash = hex.EncodeToString(sum[:])
	return p
}

func assets(b *strings.Builder, list []semantic.Asset) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n# Trusted queries\n")
	for _, a := range list {
		params := make([]string, len(a.Params))
		for i, p := range a.Params {
			params[i] = ":" + p.Name + " " + p.Type
		}
		fmt.Fprintf(b, "\n%s(%s)%s\n%s\n", a.Name, strings.Join(params, ", "), after(": ", oneLine(a.Description)), fenced(a.SQL))
	}
}

func examples(b *strings.Builder, list []semantic.Example) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n# Examples\n")
	for _, e := range list {
		fmt.Fprintf(b, "\nQuestion: %s\n%s\n", oneLine(e.Question), fenced(e.SQL))
	}
}

const (
	dayLayout    = "2006-01-02"
	beforeDay    = "Today is "
	beforeAsking = "\n\nQuestion: "
)

// Question is the suffix: the question and what depends on it, which are the
// day and lines such as Named gives.
func Question(question string, today time.Time, lines ...string) string {
	return fmt.Sprintf("%s%s (%s).%s%s%s", beforeDay, today.Format(dayLayout), today.Weekday(), after("\n", strings.Join(lines, "\n")), beforeAsking, Trim(question))
}

// Named tells the stored values that a question seems to name, as SQL
// compares with them.
func Named(d *db.Dialect, s *selection.Selection, matches []values.Match) []string {
	var lines []string
	for _, m := range matches {
		for i := range s.Tables {
			if t := &s.Tables[i]; strings.EqualFold(t.Name, m.Table) {
				lines = append(lines, fmt.Sprintf("- %s.%s = %s (for %q)", TableName(d, t), d.Ident(m.Column), quoted(m.Value), oneLine(m.Term)))
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return append([]string{"Stored values that the question may mean:"}, lines...)
}

// Trim is the question as it stands in the suffix.
func Trim(question string) string { return strings.TrimSpace(question) }

// ParseQuestion takes a suffix apart again, as a recording holds it.
func ParseQuestion(suffix string) (question string, today time.Time, ok bool) {
	head, question, found := strings.Cut(suffix, beforeAsking)
	day, isDay := strings.CutPrefix(head, beforeDay)
	if !found || !isDay || len(day) < len(dayLayout) {
		return "", time.Time{}, false
	}
	today, err := time.Parse(dayLayout, day[:len(dayLayout)])
	return question, today, err == nil
}

// Again asks for a repair: what went wrong, and the names that come nearest
// to a wrong one, quoted as the SQL needs them.
func Again(text Text, message, names string) string {
	return strings.TrimSpace(text.fill("error", message, "names", names))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// fenced keeps the SQL as it is written: line ends may be inside its texts.
func fenced(sql string) string {
	return "```sql\n" + strings.TrimRight(strings.TrimSpace(sql), "; \n\t") + "\n```"
}

func after(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}
