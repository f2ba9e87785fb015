package batch

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/app/term"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
)

// Render shows the answers, one line each, and what they cost.
func (r *Report) Render(s *term.Streams) string {
	var b strings.Builder
	t := term.Table{Indent: 2, Header: []string{"", "id", "question", "answer"}}
	for i := range r.Results {
		result := &r.Results[i]
		t.Rows = append(t.Rows, []string{mark(result.State, s.Style), result.ID, result.Answer.Question, result.brief()})
	}
	b.WriteString(t.Render(s.Width, s.Style) + "\n")
	for _, line := range [][]string{r.counts(), r.costs()} {
		b.WriteString("  " + term.Wrap(strings.Join(line, " "+s.Style.Dot+" "), s.Width, 2, 2) + "\n")
	}
	return b.String()
}

func mark(state State, style term.Style) string {
	switch state {
	case Answered:
		return style.OK
	case NotRun:
		return style.Dot
	}
	return style.Bad
}

// brief is an answer in a few words: its one value, its first row, or why
// there is none.
func (r *Result) brief() string {
	a := &r.Answer
	switch r.State {
	case NotRun:
		return "not run"
	case Failed:
		return r.Err.Error()
	case Unanswerable:
		return "cannot be answered: " + a.Reason
	case NoAnswer:
		return a.Reason
	}
	if len(a.Rows) == 0 {
		return "no rows"
	}
	cells := make([]string, len(a.Rows[0]))
	for i, v := range a.Rows[0] {
		cells[i] = v.String()
		if v.Kind() == db.Text || v.Kind() == db.JSON {
			cells[i] = v.Raw()
		}
	}
	text := strings.Join(cells, ", ")
	switch {
	case a.Truncated != db.Whole:
		text += fmt.Sprintf("  (the first of more than %d rows)", len(a.Rows))
	case len(a.Rows) > 1:
		text += fmt.Sprintf("  (the first of %d rows)", len(a.Rows))
	}
	return text
}

func (r *Report) counts() []string {
	list := []string{fmt.Sprintf("answered %d of %d", r.Count(Answered), len(r.Results))}
	for _, c := range []struct {
		state State
		words string
	}{{Unanswerable, "cannot be answered"}, {NoAnswer, "no SQL that works"}, {Failed, "failed"}, {NotRun, "not run"}} {
		if n := r.Count(c.state); n > 0 {
			list = append(list, fmt.Sprintf("%s %d", c.words, n))
		}
	}
	return list
}

func (r *Report) costs() []string {
	var list []string
	switch {
	case r.Run == 0:
		list = append(list, "replayed, would have cost "+r.Replayed.String())
	default:
		list = append(list, "cost "+r.Spent.Settled.String())
		if r.Spent.Unknown > 0 {
			list = append(list, "at most "+r.Spent.Unknown.String()+" more for calls that broke")
		}
		if before := r.Total.Total() - r.Spent.Total(); before > 0 {
			list = append(list, "the whole run "+r.Total.Settled.String())
		}
		if n := r.Count(Answered); n > 0 {
			list = append(list, (r.Total.Settled/meter.USD(n)).String()+" per answer")
		}
	}
	if p50 := r.Latency(0.5); p50 > 0 {
		list = append(list, "p50 "+term.Seconds(p50)+" s", "p95 "+term.Seconds(r.Latency(0.95))+" s")
	}
	if n := len(r.Results) - r.Count(NotRun); n > 0 {
		list = append(list, fmt.Sprintf("%.1f calls per question", float64(r.Calls())/float64(n)))
	}
	if text := r.cache(); text != "" {
		list = append(list, text)
	}
	if r.Run > 0 {
		list = append(list, "run "+r.Run.String())
	}
	return list
}

// cache says what the prompt cache saved.
func (r *Report) cache() string {
	billed := r.Total.Settled
	if r.Run == 0 {
		billed = r.Replayed
	}
	if r.Usage.CacheRead == 0 || billed <= 0 {
		return ""
	}
	return fmt.Sprintf("cache saved %s (%.0f %%)", r.Saved, 100*float64(r.Saved)/float64(r.Saved+billed))
}
