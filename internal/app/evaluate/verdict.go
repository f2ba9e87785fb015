package evaluate

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/toolkit/score"
)

// RenderVerdict shows one comparison.
func RenderVerdict(s *term.Streams, v score.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  verdict  %s%s\n", s.Style.Strong(string(v.Verdict)), rules(s.Style, v.Rules))
	if v.Difference != "" {
		fmt.Fprintf(&b, "  %s\n", term.Wrap(term.Clean(v.Difference), s.Width, 2, 2))
	}
	return b.String()
}

// RenderCase shows a comparison of a list.
func RenderCase(s *term.Streams, v score.Verdict) string {
	line := fmt.Sprintf("  %-20s %-15s%s", term.Cut(term.Clean(strings.Trim(string(v.ID), `"`)), 20, s.Style.More), v.Verdict, rules(s.Style, v.Rules))
	if v.Difference != "" {
		line += "\n      " + s.Style.Dim(term.Wrap(term.Clean(v.Difference), s.Width, 6, 6))
	}
	return line + "\n"
}

func rules(style term.Style, r score.RuleVerdicts) string {
	var b strings.Builder
	for _, rule := range []struct {
		name string
		held *bool
	}{{"bird", r.Bird}, {"strict", r.Strict}, {"ordered", r.Ordered}, {"tolerant", r.Tolerant}, {"superset", r.Superset}} {
		switch {
		case rule.held == nil:
		case *rule.held:
			fmt.Fprintf(&b, "   %s %s", rule.name, style.Good(style.OK))
		default:
			fmt.Fprintf(&b, "   %s %s", rule.name, style.Wrong(style.Bad))
		}
	}
	return b.String()
}
