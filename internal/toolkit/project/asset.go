package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/asset"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

var headerKeys = []string{"name", "params", "description"}

// assetReader reads a trusted query: "-- @key: value" lines, then SQL.
type assetReader struct {
	file     string
	asset    semantic.Asset
	mistakes yamldoc.Mistakes
	warnings yamldoc.Mistakes
	seen     map[string]int
	params   int // line of @params
}

func readAsset(file, text string, rules sqltext.Rules) *assetReader {
	r := &assetReader{file: file, seen: map[string]int{}}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	body := 0
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		comment, isComment := strings.CutPrefix(trimmed, "--")
		if trimmed != "" && !isComment {
			break
		}
		if header, ok := strings.CutPrefix(strings.TrimSpace(comment), "@"); ok && isComment {
			r.header(header, i+1, strings.Index(line, "@")+1)
			body = i + 1
		}
	}
	r.asset.SQL = strings.TrimSpace(strings.Join(lines[body:], "\n"))
	r.finish(body, rules)
	return r
}

// CheckAsset tells what would be wrong with a trusted query's file, as a
// Mistakes.
func CheckAsset(a semantic.Asset, d *db.Dialect) error {
	r := readAsset(TrustedDir+"/"+FileStem(a.Name)+".sql", AssetText(a), rulesOf(d))
	if len(r.mistakes) > 0 {
		return r.mistakes
	}
	return nil
}

// rulesOf are the rules of a dialect, the standard's where it is not known.
func rulesOf(d *db.Dialect) sqltext.Rules {
	if d == nil {
		return sqltext.Rules{}
	}
	return d.Policy.Rules
}

func (r *assetReader) wrong(line, column int, message, suggestion string) {
	r.mistakes = append(r.mistakes, yamldoc.Mistake{File: r.file, Line: line, Column: column, Message: message, Suggestion: suggestion})
}

func (r *assetReader) header(text string, line, column int) {
	key, value, ok := strings.Cut(text, ":")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok {
		r.wrong(line, column, "@"+clip([]byte(key))+" lacks its colon", "write -- @name: value")
		return
	}
	if first := r.seen[key]; first > 0 {
		r.wrong(line, column, fmt.Sprintf("@%s stands twice; the first is in line %d", key, first), "")
		return
	}
	r.seen[key] = line
	switch key {
	case "name":
		r.asset.Name = value
	case "description":
		r.asset.Description = value
	case "params":
		r.params = line
		r.parameters(value, line, column)
	default:
		suggestion := yamldoc.DidYouMean(key, headerKeys)
		if suggestion == "" {
			suggestion = "known here: @" + strings.Join(headerKeys, ", @")
		}
		for _, near := range yamldoc.Nearest(key, headerKeys) {
			r.seen[near] = line
		}
		r.wrong(line, column, fmt.Sprintf("unknown key %q", clip([]byte(key))), suggestion)
	}
}

// parameters reads "month (date), limit (decimal(10,2))".
func (r *assetReader) parameters(list string, line, column int) {
	for _, item := range splitTop(list) {
		name, typ, ok := strings.Cut(item, "(")
		name, typ = strings.TrimSpace(name), strings.TrimSpace(typ)
		typ, closed := strings.CutSuffix(typ, ")")
		switch {
		case !ok || !closed || !isWord(name) || strings.TrimSpace(typ) == "":
			r.wrong(line, column, fmt.Sprintf("@params: %q is not a name with its type", clip([]byte(item))), "write month (date)")
		case slices.ContainsFunc(r.asset.Params, func(p semantic.Param) bool { return p.Name == name }):
			r.wrong(line, column, fmt.Sprintf("@params: %s stands twice", name), "")
		case !asset.KnownType(typ):
			suggestion := yamldoc.DidYouMean(strings.ToLower(strings.TrimSpace(typ)), asset.TypeNames())
			if suggestion == "" {
				suggestion = "date, time, timestamp, timestamptz, integer, bigint, decimal(10,2), double, text and boolean are known"
			}
			r.warnings = append(r.warnings, yamldoc.Mistake{
				File: r.file, Line: line, Column: column, Message: fmt.Sprintf("@params: no value can be given to %s, of type %q", name, clip([]byte(typ))), Suggestion: suggestion,
			})
			fallthrough
		default:
			r.asset.Params = append(r.asset.Params, semantic.Param{Name: name, Type: strings.TrimSpace(typ)})
		}
	}
}

// splitTop splits at commas outside parentheses.
func splitTop(list string) []string {
	var items []string
	depth, start := 0, 0
	for i, c := range list {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				items = append(items, strings.TrimSpace(list[start:i]))
				start = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(list[start:]); rest != "" || len(items) > 0 {
		items = append(items, rest)
	}
	return items
}

func isWord(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (r *assetReader) finish(headerLines int, rules sqltext.Rules) {
	switch {
	case r.seen["name"] == 0:
		r.wrong(1, 1, "a trusted query needs a name", "write -- @name: monthly_revenue in its first line")
	case !isWord(r.asset.Name) && r.asset.Name != "":
		r.wrong(r.seen["name"], 1, fmt.Sprintf("@name: %q is not one word of letters, digits and _", clip([]byte(r.asset.Name))), "")
	case r.asset.Name == "":
		if !r.suggested("name") {
			r.wrong(r.seen["name"], 1, "@name is empty", "")
		}
	}
	if r.asset.SQL == "" {
		r.wrong(headerLines+1, 1, "a trusted query needs SQL below its head", "")
		return
	}
	r.placeholders(rules)
}

// suggested reports a key that was written with a typo elsewhere: what it
// would hold is not missing, it is misspelled.
func (r *assetReader) suggested(key string) bool {
	line := r.seen[key]
	for other, at := range r.seen {
		if other != key && at == line {
			return true
		}
	}
	return false
}

// placeholders holds the parameters that the SQL uses against those declared.
func (r *assetReader) placeholders(rules sqltext.Rules) {
	used := Placeholders(r.asset.SQL, rules)
	var declared []string
	for _, p := range r.asset.Params {
		declared = append(declared, p.Name)
		if !slices.Contains(used, p.Name) {
			r.warnings = append(r.warnings, yamldoc.Mistake{
				File: r.file, Line: r.params, Column: 1, Message: "the SQL does not use the parameter " + p.Name, Suggestion: "it stands as :" + p.Name,
			})
		}
	}
	if r.params == 0 && r.seen["params"] > 0 {
		return // misspelled: every use would be reported
	}
	for _, name := range used {
		if !slices.Contains(declared, name) {
			suggestion := yamldoc.DidYouMean(name, declared)
			if suggestion == "" {
				suggestion = "write -- @params: " + name + " (type)"
			}
			r.wrong(max(1, r.params), 1, "the SQL uses :"+name+", which @params does not declare", suggestion)
		}
	}
}

// Placeholders are the names of the :name parameters of sql, in order, each
// once.
func Placeholders(sql string, rules sqltext.Rules) []string {
	var names []string
	for _, p := range sqltext.NamedParams(sql, &rules) {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}
