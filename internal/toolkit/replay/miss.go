package replay

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sqbyl/sqbyl/llm"
)

// part is a named piece of a request.
type part struct{ name, text string }

// parts takes a request apart so that two of them can be compared piece by
// piece.
func parts(req llm.Request) []part {
	out := []part{{"model", req.Model}}
	for i, b := range req.System {
		out = append(out, part{fmt.Sprintf("system block %d", i+1), b.Text}, part{fmt.Sprintf("cache mark of system block %d", i+1), string(b.Cache)})
	}
	for _, t := range req.Tools {
		out = append(out, part{"tool " + t.Name, t.Description + "\n" + string(t.Input)})
	}
	if req.Answer != nil {
		out = append(out, part{"answer schema", req.Answer.Name + "\n" + string(req.Answer.Schema)})
	}
	for i, m := range req.Messages {
		name := fmt.Sprintf("message %d (%s)", i+1, m.Role)
		out = append(out, part{name, m.Text})
		for k, c := range m.Calls {
			out = append(out, part{fmt.Sprintf("%s, call %d", name, k+1), c.ID + " " + c.Name + " " + string(c.Input)})
		}
		for k, r := range m.Results {
			out = append(out, part{fmt.Sprintf("%s, result %d", name, k+1), r.ID + " " + r.Text})
		}
	}
	return append(out, part{"max_tokens", fmt.Sprint(req.MaxTokens)}, part{"effort", req.Effort})
}

// miss says why no recording answers the request.
func (j *Journal) miss(req llm.Request) string {
	hash := llm.Hash(req)
	j.mu.Lock()
	defer j.mu.Unlock()
	if n := j.count[hash]; n > 0 {
		return fmt.Sprintf("%s has %d answers to this request, and all of them were given already", j.name, n)
	}
	if len(j.entries) == 0 {
		return j.name + " holds no answers"
	}
	asked := parts(req)
	best, bestScore := j.entries[0], -1.0
	for _, e := range j.entries {
		if s := likeness(asked, parts(e.Request)); s > bestScore {
			best, bestScore = e, s
		}
	}
	return fmt.Sprintf("%s has no answer to this request; the nearest recording (line %d) differs in %s", j.name, best.Line, difference(parts(best.Request), asked))
}

// likeness counts the pieces that two requests share, the last message twice:
// it is the question.
func likeness(a, b []part) float64 {
	recorded := map[part]bool{}
	for _, p := range b {
		recorded[p] = true
	}
	score := 0.0
	for _, p := range a {
		if recorded[p] {
			score++
			continue
		}
		for _, q := range b {
			if q.name == p.name {
				score += float64(commonPrefix(p.text, q.text)) / float64(max(len(p.text), len(q.text), 1)+1)
			}
		}
	}
	return score - float64(max(0, len(b)-len(a)))/2
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// difference names the first piece that differs, and its first differing
// line.
func difference(recorded, asked []part) string {
	old := map[string]string{}
	for _, p := range recorded {
		old[p.name] = p.text
	}
	for _, p := range asked {
		was, ok := old[p.name]
		if !ok {
			return fmt.Sprintf("%s, which it does not have: %s", p.name, quote(p.text))
		}
		delete(old, p.name)
		if was != p.text {
			return p.name + firstLine(was, p.text)
		}
	}
	for _, p := range recorded {
		if _, left := old[p.name]; left {
			return fmt.Sprintf("%s, which this request does not have: %s", p.name, quote(p.text))
		}
	}
	return "the order of its parts"
}

func firstLine(was, now string) string {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return fmt.Sprintf(", line %d: new %s", i+1, quote(b[i]))
		case i >= len(b):
			return fmt.Sprintf(", line %d: gone %s", i+1, quote(a[i]))
		case a[i] != b[i]:
			where := ""
			if len(a) > 1 || len(b) > 1 {
				where = fmt.Sprintf(", line %d", i+1)
			}
			from := apart(a[i], b[i])
			return fmt.Sprintf("%s: recorded %s, now %s", where, quoteFrom(a[i], from), quoteFrom(b[i], from))
		}
	}
	return ""
}

// apart gives the byte at which two lines are shown: a little before they
// differ, so that a person sees where that is.
func apart(a, b string) int {
	const before = 30
	n := commonPrefix(a, b)
	if n <= before {
		return 0
	}
	from := n - before
	for from > 0 && !utf8.RuneStart(a[from]) {
		from--
	}
	return from
}

func quoteFrom(s string, from int) string {
	if from == 0 {
		return quote(s)
	}
	return quote("…" + s[from:])
}

func quote(s string) string {
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
