package selection

import (
	"fmt"

	"github.com/sqbyl/sqbyl/semantic"
)

// Selection is the context of one question. It is not changed after it was
// made, so equal selections may be shared.
type Selection struct {
	Tables       []Table
	Examples     []semantic.Example
	Assets       []semantic.Asset
	Instructions string
	// Items are the choices, one per table, example, asset and block of
	// instructions, each with its reason.
	Items []Item
	Notes []string
}

// Item is one choice.
type Item struct {
	Kind   ItemKind `json:"kind"`
	Name   string   `json:"name"`
	Reason string   `json:"reason"`
}

// ItemKind is what an Item is.
type ItemKind string

// The kinds of item.
const (
	TableItem       ItemKind = "table"
	ExampleItem     ItemKind = "example"
	AssetItem       ItemKind = "asset"
	InstructionItem ItemKind = "instructions"
)

// Everything selects all there is. The same Knowledge gives equal
// selections, so a prompt compiled from it stays in a provider's cache from
// one question to the next.
func Everything(k Knowledge) *Selection {
	s := &Selection{
		Tables: k.Tables, Examples: k.Examples, Assets: k.Assets,
		Instructions: k.Instructions, Notes: k.Notes,
	}
	for i := range k.Tables {
		s.add(TableItem, k.Tables[i].Name, fmt.Sprintf("all %s of the context are included", counted(len(k.Tables), "table")))
	}
	for i := range k.Assets {
		s.add(AssetItem, k.Assets[i].Name, "every trusted query is included")
	}
	for i := range k.Examples {
		s.add(ExampleItem, k.Examples[i].Question, fmt.Sprintf("all %s are included", counted(len(k.Examples), "example")))
	}
	if k.Instructions != "" {
		s.add(InstructionItem, "instructions.md", "instructions are always included")
	}
	return s
}

func (s *Selection) add(kind ItemKind, name, reason string) {
	s.Items = append(s.Items, Item{Kind: kind, Name: name, Reason: reason})
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
