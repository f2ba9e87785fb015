package guard

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// CheckBound is Check for text whose :name parameters are bound to values
// when it runs: they become the dialect's own placeholders, and the statement
// carries their order. A parameter that is not among names is refused, and so
// is a placeholder that stands in the text as such. Values never enter the
// text.
func CheckBound(ctx context.Context, sql string, names []string, p *Policy) (Statement, error) {
	if p == nil {
		return Statement{}, errors.New("check a statement: no policy")
	}
	if err := checkBytes(sql); err != nil {
		return Statement{}, err
	}
	b := &binding{sql: sql, numbered: p.Rules.DollarParam, starts: map[int32]bool{}}
	for _, param := range sqltext.NamedParams(sql, &p.Rules) {
		if slices.Contains(names, param.Name) {
			b.replace(param)
		}
	}
	b.text.WriteString(sql[b.done:])
	st, err := check(ctx, b.text.String(), p, b.starts)
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return Statement{}, place(sql, refusal, b.origin(refusal.Position.Offset))
	}
	if err != nil {
		return Statement{}, err
	}
	st.params = b.order
	return st, nil
}

// binding writes placeholders in the place of names.
type binding struct {
	sql      string
	numbered bool // $1 stands for one value wherever it stands; ? takes the next
	text     strings.Builder
	done     int // bytes of sql that are in text
	order    []string
	starts   map[int32]bool // of placeholders, in text
	shifts   []shift
}

// shift says that from offset at of the text on, the written text is by bytes
// longer.
type shift struct{ at, by int }

func (b *binding) replace(param sqltext.NamedParam) {
	b.text.WriteString(b.sql[b.done:param.Start])
	b.starts[int32(b.text.Len())] = true
	if b.numbered {
		at := slices.Index(b.order, param.Name)
		if at < 0 {
			at = len(b.order)
			b.order = append(b.order, param.Name)
		}
		b.text.WriteString("$" + strconv.Itoa(at+1))
	} else {
		b.order = append(b.order, param.Name)
		b.text.WriteByte('?')
	}
	b.done = param.End
	b.shifts = append(b.shifts, shift{b.text.Len(), param.End - b.text.Len()})
}

// origin is the offset in the written text of an offset in the bound one.
func (b *binding) origin(offset int) int {
	by := 0
	for _, s := range b.shifts {
		if s.at <= offset {
			by = s.by
		}
	}
	return min(offset+by, len(b.sql))
}
