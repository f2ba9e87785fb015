// Package edit changes the files of a project: a sealed set of edits, applied
// to the text that people wrote, each undoable to the byte. An edit names what
// it changes, not where it stands, so that several edits to one file can be
// applied in any order.
package edit

import (
	"fmt"

	"github.com/sqbyl/sqbyl/internal/toolkit/bench"
	"github.com/sqbyl/sqbyl/semantic"
)

// Edit is one change. The types below are all there are.
type Edit interface {
	// Title says what the edit does, in a few words.
	Title() string
	sealed()
}

type (
	// Describe sets the description of a table, or of its Column; empty Text
	// takes it away.
	Describe struct {
		Table  string `json:"table"`
		Column string `json:"column,omitempty"`
		Text   string `json:"text"`
	}
	// AddSynonym adds a word for a table, or for its Column, Measure or Filter.
	AddSynonym struct {
		Table   string `json:"table"`
		Column  string `json:"column,omitempty"`
		Measure string `json:"measure,omitempty"`
		Filter  string `json:"filter,omitempty"`
		Word    string `json:"word"`
	}
	// DropSynonym takes a word away.
	DropSynonym AddSynonym
	// PutMeasure adds a measure, or changes the one of its name.
	PutMeasure struct {
		Table   string           `json:"table"`
		Measure semantic.Measure `json:"measure"`
	}
	// DropMeasure deletes a measure.
	DropMeasure struct {
		Table string `json:"table"`
		Name  string `json:"name"`
	}
	// PutFilter adds a filter, or changes the one of its name.
	PutFilter struct {
		Table  string          `json:"table"`
		Filter semantic.Filter `json:"filter"`
	}
	// DropFilter deletes a filter.
	DropFilter struct {
		Table string `json:"table"`
		Name  string `json:"name"`
	}
	// PutJoin adds a join, or changes the one with its target and condition.
	PutJoin struct {
		Table string        `json:"table"`
		Join  semantic.Join `json:"join"`
	}
	// DropJoin deletes the join to a table; On tells apart several to one.
	DropJoin struct {
		Table string `json:"table"`
		To    string `json:"to"`
		On    string `json:"on,omitempty"`
	}
	// PutTable makes a table's file say what Table holds, or creates it.
	PutTable struct {
		Table semantic.Table `json:"table"`
	}
	// PutExample adds an example to File, a name in examples/ without suffix,
	// or changes the one with its question, wherever that is.
	PutExample struct {
		File    string           `json:"file"`
		Example semantic.Example `json:"example"`
	}
	// DropExample deletes an example.
	DropExample struct {
		Question string `json:"question"`
	}
	// AddInstruction adds a line to the instructions.
	AddInstruction struct {
		Line string `json:"line"`
	}
	// ChangeInstruction changes a line of the instructions.
	ChangeInstruction struct {
		Old string `json:"old"`
		New string `json:"new"`
	}
	// DropInstruction deletes a line of the instructions.
	DropInstruction struct {
		Line string `json:"line"`
	}
	// AddAsset adds a trusted query in a file of its own.
	AddAsset struct {
		Asset semantic.Asset `json:"asset"`
	}
	// PutQuestion adds a question to the dev set, or changes the one of its id.
	PutQuestion struct {
		Question bench.Question `json:"question"`
	}
	// DropQuestion deletes a question of the dev set.
	DropQuestion struct {
		ID string `json:"id"`
	}
)

func (Describe) sealed()          {}
func (AddSynonym) sealed()        {}
func (DropSynonym) sealed()       {}
func (PutMeasure) sealed()        {}
func (DropMeasure) sealed()       {}
func (PutFilter) sealed()         {}
func (DropFilter) sealed()        {}
func (PutJoin) sealed()           {}
func (DropJoin) sealed()          {}
func (PutTable) sealed()          {}
func (PutExample) sealed()        {}
func (DropExample) sealed()       {}
func (AddInstruction) sealed()    {}
func (ChangeInstruction) sealed() {}
func (DropInstruction) sealed()   {}
func (AddAsset) sealed()          {}
func (PutQuestion) sealed()       {}
func (DropQuestion) sealed()      {}

// Title implements Edit.
func (e Describe) Title() string { return "describe " + dotted(e.Table, e.Column) }

// Title implements Edit.
func (e AddSynonym) Title() string { return fmt.Sprintf("add synonym %q for %s", e.Word, e.target()) }

// Title implements Edit.
func (e DropSynonym) Title() string {
	return fmt.Sprintf("drop synonym %q of %s", e.Word, AddSynonym(e).target())
}

// Title implements Edit.
func (e PutMeasure) Title() string { return "set measure " + e.Measure.Name + " of " + e.Table }

// Title implements Edit.
func (e DropMeasure) Title() string { return "drop measure " + e.Name + " of " + e.Table }

// Title implements Edit.
func (e PutFilter) Title() string { return "set filter " + e.Filter.Name + " of " + e.Table }

// Title implements Edit.
func (e DropFilter) Title() string { return "drop filter " + e.Name + " of " + e.Table }

// Title implements Edit.
func (e PutJoin) Title() string { return "set join of " + e.Table + " to " + e.Join.To }

// Title implements Edit.
func (e DropJoin) Title() string { return "drop join of " + e.Table + " to " + e.To }

// Title implements Edit.
func (e PutTable) Title() string { return "set table " + e.Table.Name }

// Title implements Edit.
func (e PutExample) Title() string { return fmt.Sprintf("set example %q", e.Example.Question) }

// Title implements Edit.
func (e DropExample) Title() string { return fmt.Sprintf("drop example %q", e.Question) }

// Title implements Edit.
func (e AddInstruction) Title() string { return fmt.Sprintf("add instruction %q", e.Line) }

// Title implements Edit.
func (e ChangeInstruction) Title() string { return fmt.Sprintf("change instruction %q", e.Old) }

// Title implements Edit.
func (e DropInstruction) Title() string { return fmt.Sprintf("drop instruction %q", e.Line) }

// Title implements Edit.
func (e AddAsset) Title() string { return "add trusted query " + e.Asset.Name }

// Title implements Edit.
func (e PutQuestion) Title() string { return "set question " + e.Question.ID }

// Title implements Edit.
func (e DropQuestion) Title() string { return "drop question " + e.ID }

func dotted(table, part string) string {
	if part == "" {
		return table
	}
	return table + "." + part
}

func (e AddSynonym) target() string {
	switch {
	case e.Measure != "":
		return "measure " + dotted(e.Table, e.Measure)
	case e.Filter != "":
		return "filter " + dotted(e.Table, e.Filter)
	}
	return dotted(e.Table, e.Column)
}
