// Package benchcheck is what bench lint and bench leaks do: benchmarks looked
// at without a model.
package benchcheck

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/internal/toolkit/goldlint"
	"github.com/sqbyl/sqbyl/internal/toolkit/heldout"
	"github.com/sqbyl/sqbyl/internal/toolkit/leak"
	"github.com/sqbyl/sqbyl/semantic"
)

// Sets are the benchmarks to look at.
type Sets struct {
	Dev      []bench.Item
	HeldOut  *heldout.Set // nil where there is none
	Examples []semantic.Example
}

// LintReport is what bench lint found.
type LintReport struct {
	OK       bool      `json:"ok"`
	Dev      int       `json:"dev"`      // questions looked at
	HeldOut  int       `json:"held_out"` //
	Findings []Finding `json:"findings"`
}

// Finding is a finding with its half.
type Finding struct {
	Split string `json:"split"`
	goldlint.Finding
}

// Lint runs the golds. Of held-out questions it says ids and kinds.
func Lint(ctx context.Context, s Sets, l *goldlint.Linter) (*LintReport, error) {
	r := &LintReport{Dev: len(s.Dev), Findings: []Finding{}}
	for _, f := range l.Lint(ctx, s.Dev) {
		r.Findings = append(r.Findings, Finding{"dev", f})
	}
	if s.HeldOut != nil {
		r.HeldOut = s.HeldOut.Summary().Questions
		for _, f := range s.HeldOut.Lint(ctx, l) {
			r.Findings = append(r.Findings, Finding{"test", f})
		}
	}
	r.OK = len(r.Findings) == 0
	return r, ctx.Err()
}

// Render shows the report.
func (r *LintReport) Render(s *term.Streams) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s%s questions looked at, free\n", counted(r.Dev, "dev"), and(r.HeldOut))
	for _, f := range r.Findings {
		id := f.ID
		if f.DB != "" {
			id = f.DB + " " + id
		}
		fmt.Fprintf(&b, "%s %-4s  %s  %s\n", s.Style.Wrong(s.Style.Bad), f.Split, term.Clean(id), s.Style.Strong(string(f.Kind)))
		if f.Text != "" {
			fmt.Fprintf(&b, "        %s\n", s.Style.Dim(term.Wrap(term.Clean(f.Text), s.Width, 8, 8)))
		}
	}
	switch {
	case r.OK:
		fmt.Fprintf(&b, "%s nothing to complain of\n", s.Style.Good(s.Style.OK))
	case r.hidden():
		b.WriteString("  of held-out questions only ids and kinds are told; whoever keeps them opens the file\n")
	}
	return b.String()
}

func (r *LintReport) hidden() bool {
	for _, f := range r.Findings {
		if f.Split == "test" {
			return true
		}
	}
	return false
}

func counted(n int, what string) string { return strconv.Itoa(n) + " " + what }

func and(n int) string {
	if n == 0 {
		return ""
	}
	return " and " + counted(n, "held-out")
}

// LeakReport is what bench leaks found.
type LeakReport struct {
	OK       bool `json:"ok"` // no text gives another's answer away
	Dev      int  `json:"dev"`
	HeldOut  int  `json:"held_out"`
	Examples int  `json:"examples"`
	// Leaks give answers away; Alike share less than that.
	Leaks []leak.Leak `json:"leaks"`
	Alike []leak.Leak `json:"alike"`
}

// Leaks compares dev, held-out and examples with each other.
func Leaks(s Sets, rules *sqltext.Rules) *LeakReport {
	r := &LeakReport{Dev: len(s.Dev), Examples: len(s.Examples), Leaks: []leak.Leak{}, Alike: []leak.Leak{}}
	var all []leak.Leak
	if s.HeldOut != nil {
		r.HeldOut = s.HeldOut.Summary().Questions
		all = s.HeldOut.Leaks(s.Dev, s.Examples, rules)
	} else {
		all = leak.Find(append(leak.Texts(leak.Dev, s.Dev), leak.ExampleTexts(s.Examples)...), rules)
	}
	for _, l := range all {
		if l.Kind.Tells() {
			r.Leaks = append(r.Leaks, l)
		} else {
			r.Alike = append(r.Alike, l)
		}
	}
	r.OK = len(r.Leaks) == 0
	return r
}

// mostAlike is how many pairs that are alike are shown.
const mostAlike = 10

// Render shows the report.
func (r *LeakReport) Render(s *term.Streams) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %d dev, %d held-out, %d examples compared, free\n", r.Dev, r.HeldOut, r.Examples)
	for _, l := range r.Leaks {
		fmt.Fprintf(&b, "%s %s\n", s.Style.Wrong(s.Style.Bad), pair(l))
	}
	for i, l := range r.Alike {
		if i == mostAlike {
			fmt.Fprintf(&b, "%s and %d more pairs that are alike (--json lists them)\n", s.Style.Dot, len(r.Alike)-mostAlike)
			break
		}
		fmt.Fprintf(&b, "%s %s\n", s.Style.Dot, s.Style.Dim(pair(l)))
	}
	switch {
	case !r.OK:
		b.WriteString("  reword or replace one of each pair, or remove it: what was seen before measures nothing\n")
	case len(r.Alike) > 0:
		fmt.Fprintf(&b, "%s nothing gives an answer away; what is alike may stay\n", s.Style.Good(s.Style.OK))
	default:
		fmt.Fprintf(&b, "%s nothing in common\n", s.Style.Good(s.Style.OK))
	}
	return b.String()
}

func pair(l leak.Leak) string {
	kind := string(l.Kind)
	if l.Likeness > 0 {
		kind += fmt.Sprintf(" (%.0f %%)", 100*l.Likeness)
	}
	return term.Clean(fmt.Sprintf("%s  %s  %s", ref(l.A), ref(l.B), kind))
}

func ref(r leak.Ref) string {
	name := string(r.Source) + " " + r.ID
	if r.DB != "" {
		name += " (" + r.DB + ")"
	}
	return name
}
