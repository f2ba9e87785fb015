package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// CheckViews holds the queries of views against the policy that statements
// are held against: what a view reads and calls counts as if it stood in the
// statement. bodies holds each view's query, or its whole CREATE VIEW. The
// result names the views that no statement may read, those that read one of
// them included; hand it to NewKnown.
func CheckViews(ctx context.Context, bodies map[Name]string, p *Policy) map[Name]*Refusal {
	inner := *p
	inner.Limit, inner.AsOf, inner.Known = 0, nil, nil
	refused := make(map[Name]*Refusal)
	readers := make(map[string][]Name) // by the lower-case name of what they read
	var queue []Name
	for _, view := range sorted(bodies) {
		s, err := Check(ctx, viewQuery(bodies[view], &p.Rules), &inner)
		if err != nil {
			refused[view] = viewRefusal(view, err)
			queue = append(queue, view)
			continue
		}
		for _, t := range s.facts.Tables {
			low := strings.ToLower(t.Table)
			readers[low] = append(readers[low], view)
		}
	}
	for len(queue) > 0 {
		bad := queue[0]
		queue = queue[1:]
		for _, reader := range readers[strings.ToLower(bad.Table)] {
			if refused[reader] == nil {
				refused[reader] = viewRefusal(reader, refused[bad])
				queue = append(queue, reader)
			}
		}
	}
	return refused
}

func sorted(bodies map[Name]string) []Name {
	views := make([]Name, 0, len(bodies))
	for v := range bodies {
		views = append(views, v)
	}
	slices.SortFunc(views, func(a, b Name) int { return strings.Compare(a.String(), b.String()) })
	return views
}

func viewRefusal(view Name, err error) *Refusal {
	r := &Refusal{
		Layer: LayerTable, Rule: "view", Names: []string{view.String()},
		Message: fmt.Sprintf("the view %s may not be read: %v", view, err),
		Repair:  "use the tables that the view reads, as far as they are listed",
	}
	var inner *Refusal
	if errors.As(err, &inner) {
		r.Names = append(r.Names, inner.Names...)
		if inner.Layer == LayerFunction || inner.Rule == "view" || inner.Rule == "schema" {
			r.Repair = inner.Repair
		}
	}
	return r
}

// viewQuery is the query of a CREATE VIEW, or the text itself.
func viewQuery(body string, rules *sqltext.Rules) string {
	s := sqltext.Scan(body, rules)
	if s.Key(0) != sqltext.KeyCreate {
		return body
	}
	depth := 0
	for i, t := range s.Tokens {
		switch t.Kind {
		case sqltext.Open:
			depth++
		case sqltext.Close:
			depth--
		case sqltext.Word:
			if depth == 0 && t.Key == sqltext.KeyAs && i+1 < len(s.Tokens) {
				return body[s.Tokens[i+1].Start:]
			}
		}
	}
	return body
}
