package guard

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// trimmed is the statement without the semicolons and comments behind it.
func (c *checker) trimmed() string {
	return c.SQL[:c.Tokens[c.outline.End-1].End]
}

// edited is the text to run: the clock frozen, the rows limited. Edits touch
// tokens only, never the inside of a text, name or comment.
func (c *checker) edited() string {
	edits := c.now()
	before, after := "", ""
	if n := c.policy.Limit; n > 0 {
		switch at, plain := c.limitLiteral(); {
		case plain && at < 0:
			after = "\nLIMIT " + strconv.Itoa(n)
		case plain:
			if c.exceeds(at, n) {
				edits = append(edits, splice{int(c.Tokens[at].Start), int(c.Tokens[at].End), strconv.Itoa(n)})
			}
		case at >= 0 && c.policy.Rules.WrapForLimit:
			before, after = "SELECT * FROM (\n", "\n) LIMIT "+strconv.Itoa(n)
		}
	}
	if len(edits) == 0 && after == "" {
		return c.trimmed()
	}
	slices.SortFunc(edits, func(a, b splice) int { return a.start - b.start })
	var b strings.Builder
	b.WriteString(before)
	done := 0
	for _, e := range edits {
		b.WriteString(c.SQL[done:e.start])
		b.WriteString(e.text)
		done = e.end
	}
	b.WriteString(c.trimmed()[done:])
	b.WriteString(after)
	return b.String()
}

// limitLiteral finds the number of a top-level LIMIT or FETCH. plain is true
// when there is none (at -1) or when it is a number that can be lowered;
// otherwise at tells whether a limit stands there at all.
func (c *checker) limitLiteral() (at int, plain bool) {
	o := c.outline
	switch key := c.Key(o.First); {
	case key == sqltext.KeyDescribe, key == sqltext.KeySummarize, key == sqltext.KeyValues && c.policy.Rules.ValuesNoLimit:
		return -1, false
	case o.Limit >= 0:
		at = o.Limit + 1
		if c.IsKind(at+1, sqltext.Comma) {
			at += 2
		}
		end := at+1 == o.End || c.Key(at+1) == sqltext.KeyOffset
		return at, c.IsKind(at, sqltext.Number) && end
	case o.Fetch >= 0:
		at = o.Fetch + 2
		return at, c.IsKind(at, sqltext.Number)
	}
	return -1, true
}

func (c *checker) exceeds(at, n int) bool {
	have, err := strconv.ParseInt(strings.ReplaceAll(c.Text(at), "_", ""), 0, 64)
	return err != nil || have > int64(n)
}
