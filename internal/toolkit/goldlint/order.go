package goldlint

import (
	"context"
	"errors"
	"math/big"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/orderkey"
)

// order runs the gold without its LIMIT and with its order key.
func (s *stand) order(ctx context.Context, sql string, res *db.Result, ordered bool) {
	q, err := orderkey.New(sql, &s.policy.Rules, res)
	if err != nil {
		return // no ORDER BY, or one that has no key as columns
	}
	key, keyed, err := q.Ask(func(text string) (*db.Result, error) {
		r, err := s.run(ctx, text)
		if err == nil && r.Truncated != db.Whole {
			err = errors.New("too many rows")
		}
		return r, err
	})
	if err != nil || len(key.Rows) == 0 {
		return
	}
	firsts := make([]db.Value, len(keyed.Rows))
	for i, row := range keyed.Rows {
		if terms := q.KeyColumns(); len(terms) > 0 {
			firsts[i] = row[terms[0]]
		}
	}
	s.cut(key)
	s.nulls(key, firsts)
	if ordered || key.Limit >= 0 {
		s.numericText(firsts)
	}
}

// cut looks for a tie across the end of what LIMIT returns, whose rows are not
// all one.
func (s *stand) cut(k *compare.Key) {
	end := k.Offset + k.Limit
	if k.Limit <= 0 || end >= len(k.Rows) || k.Tie[end-1] != k.Tie[end] {
		return
	}
	from, to := end-1, end
	for from > 0 && k.Tie[from-1] == k.Tie[end] {
		from--
	}
	for to+1 < len(k.Rows) && k.Tie[to+1] == k.Tie[end] {
		to++
	}
	for i := from; i < to; i++ {
		if !sameRow(k.Rows[i], k.Rows[to]) {
			s.note(TieCut, "%s%d rows share the key %q and LIMIT returns some of them; ask for as many as there are, or say in the question what breaks the tie", s.name, to-from+1, clip(k.Label[k.Tie[end]]))
			return
		}
	}
}

func sameRow(a, b []db.Value) bool {
	for i := range a {
		if !cell.Exactly.Equal(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// nulls looks for rows without a key at the top of a result that leaves others
// out.
func (s *stand) nulls(k *compare.Key, firsts []db.Value) {
	if k.Limit <= 0 || k.Offset+k.Limit >= len(firsts) || !firsts[k.Offset].IsNull() {
		return
	}
	for _, v := range firsts {
		if !v.IsNull() {
			s.note(NullFirst, "%sthe first row has no key at all, since NULL sorts first here; leave such rows out, or write NULLS LAST", s.name)
			return
		}
	}
}

// numericText looks for a text key whose values are numbers, nine of ten at
// least, in another order than their texts.
func (s *stand) numericText(keys []db.Value) {
	var numbers []*big.Rat
	var texts []string
	others := 0
	for _, v := range keys {
		if v.IsNull() || v.Kind() == db.Text && strings.TrimSpace(v.Raw()) == "" {
			continue
		}
		if v.Kind() != db.Text {
			return
		}
		n, ok := numeral(v.Raw())
		if !ok {
			others++
			continue
		}
		numbers, texts = append(numbers, n), append(texts, v.Raw())
	}
	if others*9 > len(numbers) {
		return
	}
	for i := 1; i < len(numbers); i++ {
		if numbers[i-1].Cmp(numbers[i]) != 0 && numbers[i-1].Cmp(numbers[i]) != strings.Compare(texts[i-1], texts[i]) {
			s.note(NumericText, "%sits key is text and sorts as text: %q stands next to %q; cast it to a number", s.name, clip(texts[i-1]), clip(texts[i]))
			return
		}
	}
}

// numeral reads a plain number, 1,234.5 too.
func numeral(text string) (*big.Rat, bool) {
	text = strings.TrimSpace(text)
	if len(text) > 40 || strings.Trim(text, "0123456789.,+-") != "" || !strings.ContainsAny(text, "0123456789") {
		return nil, false
	}
	return new(big.Rat).SetString(strings.ReplaceAll(text, ",", ""))
}

func clip(text string) string {
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}
