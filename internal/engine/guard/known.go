package guard

import (
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Known are the tables and views of a catalogue, as Check looks them up.
type Known struct {
	tables  map[string][]Name // by lower-case table name
	names   []string
	refused map[Name]*Refusal // views that reach what a statement may not
}

// NewKnown makes the list; refused are the views that CheckViews found.
func NewKnown(tables []Name, refused map[Name]*Refusal) *Known {
	k := &Known{tables: make(map[string][]Name, len(tables)), refused: refused}
	for _, n := range tables {
		low := strings.ToLower(n.Table)
		if k.tables[low] == nil {
			k.names = append(k.names, n.Table)
		}
		k.tables[low] = append(k.tables[low], n)
	}
	return k
}

// find is the table n may mean. Case is not compared: where it tells names
// apart, the engine will say so.
func (k *Known) find(n Name) (Name, bool) {
	for _, have := range k.tables[strings.ToLower(n.Table)] {
		if n.Schema == "" || have.Schema == "" || strings.EqualFold(n.Schema, have.Schema) || strings.EqualFold(n.Schema, have.Catalog) {
			return have, true
		}
	}
	return Name{}, false
}

func (k *Known) check(n Name) *Refusal {
	have, ok := k.find(n)
	if !ok {
		repair := "use the tables that the schema lists"
		if near := sqltext.Nearest(n.Table, k.names); near != "" {
			repair = fmt.Sprintf("the nearest table is %s", near)
		}
		return &Refusal{
			Layer: LayerTable, Rule: "unknown_table", Names: []string{n.String()},
			Message: fmt.Sprintf("there is no table %s", clip(n.String())), Repair: repair,
		}
	}
	if r := k.refused[have]; r != nil {
		again := *r
		return &again
	}
	return nil
}
