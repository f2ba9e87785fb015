package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// Mistake is one thing that is wrong in a benchmark file.
type Mistake = yamldoc.Mistake

// Mistakes are all mistakes of a benchmark file, as an error.
type Mistakes = yamldoc.Mistakes

// Set is a benchmark as read.
type Set struct {
	Questions []Question
	// Warnings are what was read but may not be meant.
	Warnings []Mistake
}

// Parse reads a benchmark file in the project's own format. File stands in
// messages only. When the file is wrong the error is a Mistakes with all of
// it.
func Parse(r io.Reader, file string) (*Set, error) { return parse(r, file, &parser{}) }

// ParseOwn is Parse for a file of a project with these trusted queries: golds
// that name one are held against it.
func ParseOwn(r io.Reader, file string, assets []semantic.Asset) (*Set, error) {
	return parse(r, file, &parser{own: true, assets: assets})
}

// ParseHidden is ParseOwn for questions that nobody may see: its messages name
// ids and places, never a question, SQL or a value.
func ParseHidden(r io.Reader, file string, assets []semantic.Asset) (*Set, error) {
	return parse(r, file, &parser{own: true, assets: assets, hidden: true})
}

func parse(r io.Reader, file string, p *parser) (*Set, error) {
	text, err := io.ReadAll(io.LimitReader(r, yamldoc.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	doc, mistakes := yamldoc.Parse(file, text)
	if p.hidden {
		mistakes = withoutText(mistakes)
	}
	if doc == nil {
		return nil, mistakes
	}
	p.set, p.places, p.asked = &Set{}, map[string]*yaml.Node{}, map[string]string{}
	p.HideContent = p.hidden
	p.Mistakes = mistakes
	p.Items(doc, p.question)
	p.variants()
	p.graded()
	if len(p.Mistakes) > 0 {
		p.Mistakes.Sort()
		return nil, p.Mistakes
	}
	p.Warnings.Sort()
	p.set.Warnings = p.Warnings
	return p.set, nil
}

// withoutText drops what a parser of YAML says, which may cite the file.
func withoutText(mistakes Mistakes) Mistakes {
	for i := range mistakes {
		if strings.HasPrefix(mistakes[i].Message, "not valid YAML") {
			mistakes[i].Message = "not valid YAML"
		}
	}
	return mistakes
}

type parser struct {
	yamldoc.Decoder
	set    *Set
	nodes  []*yaml.Node
	places map[string]*yaml.Node // by id
	asked  map[string]string     // id by folded question
	hidden bool
	own    bool // assets are those of the project
	assets []semantic.Asset
	// unnamed is set when a question has no id that could be read: a variant
	// may mean that one.
	unnamed bool
}

func (p *parser) question(n *yaml.Node) {
	var q Question
	before := len(p.Mistakes)
	p.Item(n, &q)
	misspelled := len(p.Mistakes) > before
	q.ID = p.id(q.ID, n)
	p.set.Questions, p.nodes = append(p.set.Questions, q), append(p.nodes, n)
	p.unnamed = p.unnamed || q.ID == ""
	p.gold(q, n, misspelled)
	p.trusted(q, n, misspelled)
	p.repeated(q, n)
}

// label names a question in messages.
func (q Question) label() string {
	if q.ID == "" {
		return "the question"
	}
	return q.ID
}

// id checks an id and returns it, "" for one that cannot name a question.
func (p *parser) id(id string, n *yaml.Node) string {
	at := yamldoc.At(n, "id")
	if at == nil || id == "" {
		return ""
	}
	if strings.ContainsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) || len(id) > 200 {
		p.Wrong(at, "an id is one word without spaces", "write q_revenue_2025")
		return ""
	}
	if first := p.places[id]; first != nil {
		p.Wrong(at, fmt.Sprintf("the id %s is taken by the question in line %d", id, first.Line), "ids are unique in a file")
		return id
	}
	p.places[id] = at
	return id
}

// gold checks that a question has one kind of gold. What a question with a
// misspelled key lacks may be what is misspelled.
func (p *parser) gold(q Question, n *yaml.Node, misspelled bool) {
	var given []string
	for _, key := range []string{"gold_sql", "gold_asset", "gold", "unanswerable"} {
		if at := yamldoc.At(n, key); at != nil && (key != "unanswerable" || q.Unanswerable) {
			given = append(given, key)
		}
	}
	if len(given) > 1 {
		p.Wrong(yamldoc.At(n, given[1]), fmt.Sprintf("%s has both %s", q.label(), strings.Join(given, " and ")), "keep one; gold: takes a list of right answers")
	}
	if at := yamldoc.At(n, "params"); at != nil && yamldoc.At(n, "gold_asset") == nil && !misspelled {
		p.Wrong(at, q.label()+" has params, but no gold_asset that takes them", "")
	}
	for _, key := range []string{"gold_sql", "gold_asset"} {
		if at := yamldoc.At(n, key); at != nil && at.Kind == yaml.ScalarNode && strings.TrimSpace(at.Value) == "" {
			p.Wrong(at, q.label()+"."+key+" is empty", "remove the line")
		}
	}
	for i, sql := range q.Gold {
		if strings.TrimSpace(sql) == "" {
			p.Wrong(yamldoc.At(n, "gold"), fmt.Sprintf("%s.gold[%d] is empty", q.label(), i+1), "remove the item")
		}
	}
	if len(given) == 0 && !misspelled {
		p.warn(n, q.label()+" has no gold: its answers can only be judged", "add gold_sql, gold_asset or gold, or unanswerable: true")
	}
}

func (p *parser) warn(n *yaml.Node, message, suggestion string) {
	p.Warnings = append(p.Warnings, Mistake{File: p.File(), Line: n.Line, Column: n.Column, Message: message, Suggestion: suggestion})
}

func (p *parser) repeated(q Question, n *yaml.Node) {
	fold := strings.Join(strings.Fields(strings.ToLower(q.Question)), " ")
	if fold == "" {
		return
	}
	if other, ok := p.asked[fold]; ok {
		p.warn(n, q.label()+" asks the same as "+other, "keep one of the two")
		return
	}
	p.asked[fold] = q.label()
}

func (p *parser) variants() {
	ids := slices.Sorted(maps.Keys(p.places))
	for i, q := range p.set.Questions {
		at := yamldoc.At(p.nodes[i], "variant_of")
		switch {
		case q.VariantOf == "" || at == nil:
		case q.VariantOf == q.ID:
			p.Wrong(at, q.ID+" is a variant of itself", "")
		case !slices.Contains(ids, q.VariantOf) && p.unnamed:
		case !slices.Contains(ids, q.VariantOf):
			message := fmt.Sprintf("variant_of %q: no such id", q.VariantOf)
			if p.hidden {
				message = q.label() + ".variant_of names no id of this file"
			}
			near := yamldoc.Nearest(q.VariantOf, ids)
			suggestion := ""
			if len(near) > 0 {
				suggestion = "nearest: " + strings.Join(near, ", ")
			}
			p.Wrong(at, message, suggestion)
		case q.Canonical:
			p.Wrong(at, q.label()+" is canonical and a variant", "keep one of the two keys")
		}
	}
}
