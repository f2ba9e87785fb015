package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/engine/asset"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// trusted holds a gold that is a trusted query against those there are. What a
// question with a misspelled key lacks may be what is misspelled.
func (p *parser) trusted(q Question, n *yaml.Node, misspelled bool) {
	at := yamldoc.At(n, "gold_asset")
	if !p.own || at == nil || strings.TrimSpace(q.GoldAsset) == "" {
		return
	}
	i := slices.IndexFunc(p.assets, func(a semantic.Asset) bool { return a.Name == q.GoldAsset })
	if i < 0 {
		p.noAsset(q, at)
		return
	}
	a, given, spelled := p.assets[i], yamldoc.At(n, "params"), true
	if given != nil && given.Kind == yaml.MappingNode {
		spelled = p.params(q, given, a)
	} else {
		given = at
	}
	if misspelled || !spelled {
		return
	}
	for _, param := range a.Params {
		if yamldoc.At(n, "params", param.Name) == nil {
			p.Wrong(given, fmt.Sprintf("%s.params lacks %s", q.label(), param.Name), "it is of type "+param.Type)
		}
	}
}

// noAsset reports a gold_asset that is no trusted query. Of a hidden one all
// that there are is told: the nearest would be the gold.
func (p *parser) noAsset(q Question, at *yaml.Node) {
	names := make([]string, len(p.assets))
	for i, a := range p.assets {
		names[i] = a.Name
	}
	suggestion := ""
	if !p.hidden {
		suggestion = yamldoc.DidYouMean(q.GoldAsset, names)
	}
	switch {
	case len(names) == 0:
		suggestion = "there is none in trusted/"
	case suggestion == "":
		suggestion = "known here: " + strings.Join(names, ", ")
	}
	p.Wrong(at, fmt.Sprintf("%s.gold_asset is %s, which is no trusted query", q.label(), p.quoted(q.GoldAsset)), suggestion)
}

// params checks the parameters that a question gives. It reports false when a
// name may be the misspelled one of a parameter that is missing.
func (p *parser) params(q Question, given *yaml.Node, a semantic.Asset) (spelled bool) {
	var names, free []string
	for _, param := range a.Params {
		names = append(names, param.Name)
		if yamldoc.At(given, param.Name) == nil {
			free = append(free, param.Name)
		}
	}
	spelled = true
	for i := 0; i+1 < len(given.Content); i += 2 {
		key, value := given.Content[i], given.Content[i+1]
		if j := slices.Index(names, key.Value); j >= 0 {
			p.param(q, value, a.Params[j])
			continue
		}
		suggestion := yamldoc.DidYouMean(key.Value, free)
		switch near := yamldoc.Nearest(key.Value, names); {
		case suggestion != "":
			spelled = false
		case len(near) == 1:
			suggestion = "did you mean " + near[0] + "? it stands here already"
		case len(names) == 0:
			suggestion = "the trusted query takes none"
		default:
			suggestion = "known here: " + strings.Join(names, ", ")
		}
		p.Wrong(key, "unknown parameter "+p.quoted(key.Value), suggestion)
	}
	return spelled
}

// param checks the value of a parameter.
func (p *parser) param(q Question, value *yaml.Node, declared semantic.Param) {
	where := q.label() + ".params." + declared.Name
	switch {
	case value.Kind != yaml.ScalarNode: // reported already
	case value.ShortTag() == "!!null":
		p.Wrong(value, where+" is empty", "it is of type "+declared.Type)
	default:
		if wanted := asset.Wanted(declared, yamldoc.ScalarOf(value)); wanted != "" {
			p.Wrong(value, fmt.Sprintf("%s is %s, a value of type %s is wanted", where, p.quoted(value.Value), declared.Type), wanted)
		}
	}
}

// quoted is text of the file for a message.
func (p *parser) quoted(text string) string {
	if p.hidden {
		return "…"
	}
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "…"
	}
	return strconv.Quote(text)
}
