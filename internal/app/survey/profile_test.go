package survey

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/internal/toolkit/profile"
	"github.com/sqbyl/sqbyl/semantic"
)

func TestProfileOnATerminal(t *testing.T) {
	nulls, some := 0.0, 0.1234
	low, high := semantic.Scalar{Text: "0", Kind: semantic.NumberScalar}, semantic.Scalar{Text: "4200000", Kind: semantic.NumberScalar}
	long := profile.Table{Name: "events", Columns: []profile.Column{{Name: "payload", Type: "json", Failed: "not comparable: JSON"}, {Name: "hushed", OptedOut: true}}}
	for i := range 12 {
		long.Notes = append(long.Notes, profile.Note{Column: fmt.Sprintf("c%d", i), Text: "text, but 98 % numbers"})
	}
	r := &profile.Report{Elapsed: 900 * time.Millisecond, Tables: []profile.Table{
		{Name: "orders", Columns: []profile.Column{
			{Name: "amount_cents", Type: "INTEGER", Profile: &semantic.Profile{Nulls: &nulls, Distinct: &semantic.Count{N: 318204, Estimate: true}, Min: &low, Max: &high, Sampled: true}},
			{Name: "mail", Type: "TEXT", Personal: "mail", Profile: &semantic.Profile{Nulls: &some, Distinct: &semantic.Count{N: 3}, Shape: "email"}},
			{Name: "都市", Type: "TEXT", Profile: &semantic.Profile{Nulls: &some, Distinct: &semantic.Count{N: 2}, Top: []semantic.Share{{Value: semantic.Scalar{Text: "東京\x1b[31m"}, Share: 0.5}, {Value: semantic.Scalar{Text: strings.Repeat("長", 30)}, Share: 0.5}}}},
		}, Notes: []profile.Note{{Column: "amount_cents", Text: "0 … 4,200,000, no NULL (cents?)"}}},
		long,
		{Name: "archive", Skipped: "profile: false"},
	}}
	for _, width := range []int{0, 60} {
		s := term.Plain(nil, io.Discard, io.Discard)
		s.Width = width
		text := Columns(s, r) + Measured(s, r)
		for _, line := range strings.Split(text, "\n") {
			if width > 0 && term.Width(line) > width {
				t.Errorf("width %d: %q", width, line)
			}
		}
		golden.Check(t, fmt.Sprintf("profile_%d.golden", width), text)
	}
}
