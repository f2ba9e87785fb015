package mysql

import (
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// neutral rewrites what MariaDB has and the parser does not know into
// something of the same parts that it does, for the parser's eyes only: every
// expression stays and is walked. What is taken away is spelled out here and
// holds no expression. functions are the calls that the rewriting hides; ""
// means that there was nothing to rewrite.
func neutral(sql string, p *guard.Policy) (text string, functions []string) {
	n := &neutralizer{Script: sqltext.Scan(sql, &p.Rules)}
	for i := range n.Tokens {
		switch {
		case n.word(i, "median") && n.Is(i+1, "("):
			n.replace(i, "MAX")
			n.functions = append(n.functions, "median")
		case n.word(i, "percentile_cont", "percentile_disc") && n.Is(i+1, "("):
			n.percentile(i)
		case n.word(i, "group_concat") && n.Is(i+1, "("):
			n.concat(i)
		case n.word(i, "values") && n.Is(i+1, "(") && (i == 0 || n.Is(i-1, "(") || n.word(i-1, "union", "except", "intersect", "all", "distinct") || n.Is(i-1, ")")):
			n.rows(i)
		case n.word(i, "for") && n.word(i+1, "system_time"):
			n.history(i)
		case n.word(i, "int", "integer") && n.word(i-1, "as") && n.Is(i+1, ")"):
			n.replace(i, "SIGNED")
		}
	}
	if len(n.edits) == 0 {
		return "", nil
	}
	var b strings.Builder
	slices.SortStableFunc(n.edits, func(a, b edit) int { return a.from - b.from })
	done := 0
	for _, e := range n.edits {
		if e.from < done {
			return "", nil // one inside another
		}
		b.WriteString(sql[done:e.from] + e.text)
		done = e.to
	}
	b.WriteString(sql[done:])
	return b.String(), n.functions
}

type edit struct {
	from, to int
	text     string
}

type neutralizer struct {
	*sqltext.Script
	edits     []edit
	functions []string
}

func (n *neutralizer) word(i int, words ...string) bool {
	return n.IsKind(i, sqltext.Word) && slices.Contains(words, strings.ToLower(n.Text(i)))
}

func (n *neutralizer) replace(i int, text string) {
	n.edits = append(n.edits, edit{int(n.Tokens[i].Start), int(n.Tokens[i].End), text})
}

func (n *neutralizer) drop(from, to int) {
	n.edits = append(n.edits, edit{int(n.Tokens[from].Start), int(n.Tokens[to-1].End), ""})
}

// end is the bracket that closes the one at open, -1 for none.
func (n *neutralizer) end(open int) int {
	depth := 0
	for i := open; i < len(n.Tokens); i++ {
		switch n.Tokens[i].Kind {
		case sqltext.Open:
			depth++
		case sqltext.Close:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// percentile makes MAX((p)+(x)) of PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x).
func (n *neutralizer) percentile(i int) {
	first := n.end(i + 1)
	if first < 0 || !n.word(first+1, "within") || !n.word(first+2, "group") || !n.Is(first+3, "(") || !n.word(first+4, "order") || !n.word(first+5, "by") {
		return
	}
	last := n.end(first + 3)
	if last < first+7 {
		return
	}
	n.functions = append(n.functions, strings.ToLower(n.Text(i)))
	n.replace(i, "MAX(")
	n.edits = append(n.edits, edit{int(n.Tokens[first+1].Start), int(n.Tokens[first+5].End), "+("})
	if n.word(last-1, "asc", "desc") {
		n.drop(last-1, last)
	}
	n.replace(last, "))")
}

// concat leaves the LIMIT of a GROUP_CONCAT out: numbers only.
func (n *neutralizer) concat(i int) {
	last := n.end(i + 1)
	for at := last - 2; at > i+1 && at >= last-4; at-- {
		if !n.word(at, "limit") {
			continue
		}
		for k := at + 1; k < last; k++ {
			if number := (k-at)%2 == 1; number != n.IsKind(k, sqltext.Number) || !number && !n.IsKind(k, sqltext.Comma) && !n.word(k, "offset") {
				return
			}
		}
		n.drop(at, last)
		return
	}
}

// rows writes ROW before each row of VALUES (…), (…).
func (n *neutralizer) rows(i int) {
	for i++; n.Is(i, "("); i += 2 {
		at := int(n.Tokens[i].Start)
		n.edits = append(n.edits, edit{at, at, "ROW"})
		if i = n.end(i); i < 0 || !n.IsKind(i+1, sqltext.Comma) {
			return
		}
	}
}

// history leaves FOR SYSTEM_TIME out, where it names its times as literals.
func (n *neutralizer) history(i int) {
	literal := func(at int) int {
		if n.word(at, "timestamp", "date") && n.IsKind(at+1, sqltext.String) {
			return at + 2
		}
		if n.IsKind(at, sqltext.String) {
			return at + 1
		}
		return -1
	}
	at := -1
	switch {
	case n.word(i+2, "all"):
		at = i + 3
	case n.word(i+2, "as") && n.word(i+3, "of"):
		at = literal(i + 4)
	case n.word(i+2, "between", "from"):
		if to := literal(i + 3); to > 0 && n.word(to, "and", "to") {
			at = literal(to + 1)
		}
	}
	if at > 0 {
		n.drop(i, at)
	}
}
