package project

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
	seen     map[string]int // line of a key
	bare     map[string]bareKey
	params   []point // of the parameters
	sql      point   // where the SQL begins
	// unsure is set when @params could not be read: what the SQL uses may be
	// declared there.
	unsure bool
}

// bareKey is a word of a comment that a key without its @ looks like.
type bareKey struct {
	word string
	at   point
}

// point is a place in the file, from 1 on.
type point struct{ line, column int }

func readAsset(file, text string, rules sqltext.Rules) *assetReader {
	r := &assetReader{file: file, seen: map[string]int{}, bare: map[string]bareKey{}}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	body := 0
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		comment, isComment := strings.CutPrefix(trimmed, "--")
		if trimmed != "" && !isComment {
			break
		}
		comment = strings.TrimSpace(comment)
		if header, ok := strings.CutPrefix(comment, "@"); ok && isComment {
			r.header(header, point{i + 1, strings.Index(line, "@") + 1})
			body = i + 1
		} else if word, _, ok := strings.Cut(comment, ":"); ok {
			r.noSign(word, point{i + 1, strings.Index(line, word) + 1})
		}
	}
	below := strings.Join(lines[body:], "\n")
	r.asset.SQL = strings.TrimSpace(below)
	r.sql = point{body + 1, 1}.after(below[:len(below)-len(strings.TrimLeftFunc(below, unicode.IsSpace))])
	r.finish(rules)
	return r
}

// after is the place behind text that begins at s.
func (s point) after(text string) point {
	if n := strings.Count(text, "\n"); n > 0 {
		s = point{s.line + n, 1}
		text = text[strings.LastIndex(text, "\n")+1:]
	}
	s.column += utf8.RuneCountInString(text)
	return s
}

// noSign notes a word of a comment that was meant to be a key.
func (r *assetReader) noSign(word string, at point) {
	for _, key := range headerKeys {
		if len(yamldoc.OneLetter(word, []string{"@" + key})) > 0 {
			r.bare[key] = bareKey{word, at}
		}
	}
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

func (r *assetReader) wrong(at point, message, suggestion string) {
	r.mistakes = append(r.mistakes, yamldoc.Mistake{File: r.file, Line: at.line, Column: at.column, Message: message, Suggestion: suggestion})
}

// header reads what stands behind the @, which is at at.
func (r *assetReader) header(text string, at point) {
	key, value, ok := strings.Cut(text, ":")
	key = strings.TrimSpace(key)
	if !ok {
		r.wrong(at, "@"+clip([]byte(key))+" lacks its colon", "write -- @name: value")
		return
	}
	if first := r.seen[key]; first > 0 {
		r.wrong(at, fmt.Sprintf("@%s stands twice; the first is in line %d", key, first), "")
		return
	}
	r.seen[key] = at.line
	switch key {
	case "name":
		r.asset.Name = strings.TrimSpace(value)
	case "description":
		r.asset.Description = strings.TrimSpace(value)
	case "params":
		r.parameters(value, at.after("@"+text[:len(text)-len(value)]))
	default:
		suggestion := yamldoc.DidYouMean(key, headerKeys)
		if suggestion == "" {
			suggestion = "known here: @" + strings.Join(headerKeys, ", @")
		}
		for _, near := range yamldoc.Nearest(key, headerKeys) {
			r.seen[near] = at.line
			r.unsure = r.unsure || near == "params"
		}
		r.wrong(at, fmt.Sprintf("unknown key %q", clip([]byte(key))), suggestion)
	}
}

// parameters reads "month (date), limit (decimal(10,2))", which begins at at.
func (r *assetReader) parameters(list string, at point) {
	for _, item := range splitTop(list) {
		where := at.after(list[:item.at])
		name, typ, ok := strings.Cut(item.text, "(")
		typeAt := where.after(name + "(" + typ[:len(typ)-len(strings.TrimLeft(typ, " \t"))])
		name, typ = strings.TrimSpace(name), strings.TrimSpace(typ)
		typ, closed := strings.CutSuffix(typ, ")")
		typ = strings.TrimSpace(typ)
		switch {
		case !ok || !closed || !isWord(name) || typ == "":
			r.wrong(where, fmt.Sprintf("@params: %q is not a name with its type", clip([]byte(item.text))), "write month (date)")
			r.unsure = true
		case slices.ContainsFunc(r.asset.Params, func(p semantic.Param) bool { return p.Name == name }):
			r.wrong(where, fmt.Sprintf("@params: %s stands twice", name), "")
		default:
			if !asset.KnownType(typ) {
				r.noType(name, typ, typeAt)
			}
			r.asset.Params, r.params = append(r.asset.Params, semantic.Param{Name: name, Type: typ}), append(r.params, where)
		}
	}
}

func (r *assetReader) noType(name, typ string, at point) {
	bare, _, _ := strings.Cut(strings.ToLower(typ), "(")
	suggestion := yamldoc.DidYouMean(strings.TrimSpace(bare), asset.TypeNames())
	if suggestion == "" || slices.Contains(asset.TypeNames(), strings.TrimSpace(bare)) {
		suggestion = "known here: date, time, timestamp, timestamptz, integer, bigint, decimal(10,2), double, text, boolean"
	}
	r.wrong(at, fmt.Sprintf("@params: no value can be given to %s, of type %q", name, clip([]byte(typ))), suggestion)
}

// listed is an item of a list and where in the list it begins.
type listed struct {
	text string
	at   int
}

// splitTop splits at commas outside parentheses.
func splitTop(list string) []listed {
	var items []listed
	depth, start := 0, 0
	add := func(end int) {
		text := strings.TrimLeftFunc(list[start:end], unicode.IsSpace)
		items = append(items, listed{strings.TrimSpace(text), end - len(text)})
	}
	for i, c := range list {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				add(i)
				start = i + 1
			}
		}
	}
	if strings.TrimSpace(list[start:]) != "" || len(items) > 0 {
		add(len(list))
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

func (r *assetReader) finish(rules sqltext.Rules) {
	uses := sqltext.NamedParams(r.asset.SQL, &rules)
	for _, key := range headerKeys {
		bare, found := r.bare[key]
		if found && r.seen[key] == 0 && (key != "params" || len(uses) > 0) {
			r.wrong(bare.at, fmt.Sprintf("unknown key %q", clip([]byte(bare.word))), "did you mean @"+key+"?")
			r.seen[key] = bare.at.line
			r.unsure = r.unsure || key == "params"
		}
	}
	named := point{r.seen["name"], 1}
	switch {
	case r.seen["name"] == 0:
		r.wrong(point{1, 1}, "a trusted query needs a name", "write -- @name: monthly_revenue in its first line")
	case !isWord(r.asset.Name) && r.asset.Name != "":
		r.wrong(named, fmt.Sprintf("@name: %q is not one word of letters, digits and _", clip([]byte(r.asset.Name))), "")
	case r.asset.Name == "":
		if _, bare := r.bare["name"]; !bare && !r.suggested("name") {
			r.wrong(named, "@name is empty", "")
		}
	}
	if r.asset.SQL == "" {
		r.wrong(point{r.sql.line, 1}, "a trusted query needs SQL below its head", "")
		return
	}
	r.placeholders(uses)
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
func (r *assetReader) placeholders(uses []sqltext.NamedParam) {
	if r.unsure {
		return
	}
	used, idle := map[string]bool{}, []string{}
	for _, u := range uses {
		used[u.Name] = true
	}
	for _, p := range r.asset.Params {
		if !used[p.Name] {
			idle = append(idle, p.Name)
		}
	}
	for _, u := range uses {
		if !used[u.Name] || slices.ContainsFunc(r.asset.Params, func(p semantic.Param) bool { return p.Name == u.Name }) {
			continue
		}
		used[u.Name] = false // told once
		at := r.sql.after(r.asset.SQL[:u.Start])
		if near := yamldoc.Nearest(u.Name, idle); len(near) == 1 {
			// Either may be the misspelled one; both places are told.
			idle = slices.DeleteFunc(idle, func(name string) bool { return name == near[0] })
			r.wrong(r.spotOf(near[0]), fmt.Sprintf("@params declares %s, but the SQL uses :%s in line %d", near[0], u.Name, at.line), "did you mean "+u.Name+"?")
			continue
		}
		suggestion := yamldoc.DidYouMean(u.Name, r.names())
		if suggestion == "" {
			suggestion = "write -- @params: " + u.Name + " (type)"
		}
		r.wrong(at, "the SQL uses :"+u.Name+", which @params does not declare", suggestion)
	}
	for _, name := range idle {
		at := r.spotOf(name)
		r.warnings = append(r.warnings, yamldoc.Mistake{
			File: r.file, Line: at.line, Column: at.column, Message: "the SQL does not use the parameter " + name, Suggestion: "it stands as :" + name,
		})
	}
}

func (r *assetReader) names() (names []string) {
	for _, p := range r.asset.Params {
		names = append(names, p.Name)
	}
	return names
}

func (r *assetReader) spotOf(param string) point { return r.params[slices.Index(r.names(), param)] }
