package selection

import (
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/values"
)

// Of one term so many stored values are named, of one question so many.
const (
	valuesPerTerm     = 3
	valuesPerQuestion = 12
)

// Spotted are the stored values that a question names, in tables and columns
// of the selection, in the order of its words.
func Spotted(k *Knowledge, s *Selection, question string) []values.Match {
	if k.Values == nil {
		return nil
	}
	matches := slices.DeleteFunc(k.Values.Spot(question, valuesPerTerm), func(m values.Match) bool { return !s.has(m.Table, m.Column) })
	return matches[:min(len(matches), valuesPerQuestion)]
}

func (s *Selection) has(table, column string) bool {
	for i := range s.Tables {
		if !strings.EqualFold(s.Tables[i].Name, table) {
			continue
		}
		for _, c := range s.Tables[i].Columns {
			if strings.EqualFold(c.Name, column) {
				return true
			}
		}
	}
	return false
}
