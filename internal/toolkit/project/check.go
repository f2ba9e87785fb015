package project

import (
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	"github.com/sqbyl/sqbyl/internal/toolkit/project/yamldoc"
	"github.com/sqbyl/sqbyl/semantic"
)

// manifestSpots are the places of settings that are judged after reading.
type manifestSpots map[string]*yaml.Node

// spotted are the sections whose settings have their places kept.
var spotted = []string{"database", "model", "profile", "traces"}

func spotsOf(doc *yamldoc.Document) manifestSpots {
	s := manifestSpots{}
	for _, section := range spotted {
		n := yamldoc.At(doc.Root, section)
		if n == nil {
			continue
		}
		s[section] = n
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			s[section+"."+n.Content[i].Value] = n.Content[i+1]
		}
	}
	return s
}

// place is the line and column of a setting, 0 where it is not written.
func (s manifestSpots) place(key string) (line, column int) {
	if n := s[key]; n != nil {
		return n.Line, n.Column
	}
	return 0, 0
}

func (l *loading) checkManifest(m *Manifest) {
	spots := l.project.spots
	if !m.Database.ReadOnly {
		line, column := spots.place("database.read_only")
		l.wrong(ManifestFile, line, column, "read_only cannot be false: nothing is ever written to your database", "remove the line; write with the database's own tools")
	}
	if m.Database.Dialect != "" {
		d, err := dialect.Lookup(m.Database.Dialect)
		if err != nil {
			line, column := spots.place("database.dialect")
			l.wrong(ManifestFile, line, column, err.Error(), yamldoc.DidYouMean(m.Database.Dialect, dialect.Names()))
		}
		l.project.Dialect = d
	}
	scheme, _, hasScheme := strings.Cut(m.Database.URL, ":")
	if d, known := dialect.ByScheme(scheme); known && hasScheme {
		if l.project.Dialect == nil && m.Database.Dialect == "" {
			l.project.Dialect = d
		}
		if l.project.Dialect != nil && l.project.Dialect.Name != d.Name {
			line, column := spots.place("database.dialect")
			l.wrong(ManifestFile, line, column, fmt.Sprintf("the dialect is %s, but the url is one of %s", m.Database.Dialect, d.Title),
				fmt.Sprintf("write dialect: %s, or a url that begins with %s:", d.Name, l.project.Dialect.Name))
		}
	}
	l.checkSecrets(m)
}

// checkSecrets warns of what a file under version control should not hold.
func (l *loading) checkSecrets(m *Manifest) {
	spots := l.project.spots
	if hasPassword(m.Database.URL) {
		line, column := spots.place("database.url")
		l.warn(ManifestFile, line, column, "the url holds a password", "put the url into .env and write env:DATABASE_URL")
	}
	if m.Model.APIKey != "" && !strings.HasPrefix(m.Model.APIKey, envPrefix) {
		line, column := spots.place("model.api_key")
		l.warn(ManifestFile, line, column, "the api_key is written in the file", "put it into .env and write env:NAME")
	}
	for key, value := range map[string]string{
		"database.url": m.Database.URL, "model.api_key": m.Model.APIKey, "model.base_url": m.Model.BaseURL, "traces.otlp": m.Traces.OTLP,
	} {
		if name, ok := strings.CutPrefix(value, envPrefix); ok && !isWord(name) {
			line, column := spots.place(key)
			l.wrong(ManifestFile, line, column, key+" names no variable", "write env:NAME")
		}
		l.prefix(key, value)
	}
}

// prefix reports a word before a colon that misses by a letter the one that
// was meant.
func (l *loading) prefix(key, value string) {
	word, rest, ok := strings.Cut(value, ":")
	if !ok || len(word) < 2 {
		return
	}
	var known []string
	if isWord(rest) {
		known = append(known, strings.TrimSuffix(envPrefix, ":"))
	}
	switch key {
	case "database.url":
		for _, name := range dialect.Names() {
			if d, err := dialect.Lookup(name); err == nil {
				known = append(known, d.Schemes...)
			}
		}
	case "model.base_url", "traces.otlp":
		known = append(known, "http", "https")
	}
	near := yamldoc.OneLetter(word, known)
	if len(near) == 0 || slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, word) }) {
		return
	}
	line, column := l.project.spots.place(key)
	l.wrong(ManifestFile, line, column, fmt.Sprintf("%s begins with %q", key, clip([]byte(word))+":"), "did you mean "+near[0]+":?")
}

// hasPassword looks for user:password@ without parsing strictly: url.Parse
// gives up on passwords that are not escaped. A password among the parameters
// counts too.
func hasPassword(text string) bool {
	if strings.HasPrefix(text, envPrefix) {
		return false
	}
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		return false
	}
	authority, query, _ := strings.Cut(rest, "?")
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		if _, password, ok := strings.Cut(authority[:at], ":"); ok && password != "" {
			return true
		}
	}
	values, _ := url.ParseQuery(query)
	return values.Get("password") != ""
}

// crossCheck holds the files against each other.
func (l *loading) crossCheck() {
	tables := l.tableNames()
	named := map[string]string{}
	for _, s := range l.sources {
		if s.doc == nil || s.doc.Root == nil {
			continue
		}
		l.columns(s)
		l.joins(s, tables)
		l.names(s, "measures", len(s.table.Measures), func(i int) string { return s.table.Measures[i].Name }, named)
		l.names(s, "filters", len(s.table.Filters), func(i int) string { return s.table.Filters[i].Name }, named)
	}
	l.repeatedQuestions()
	l.allowedValues(tables)
	if n, limit := len(l.sources), l.project.Manifest.Defaults.MaxTablesWarn; n > limit && limit > 0 {
		l.warn(SemanticsDir, 0, 0, fmt.Sprintf("the project has %d tables; agents answer best over %d or fewer", n, limit), "defaults.max_tables_warn moves this limit")
	}
}

// tableNames lists the tables, and notes those described twice. A file that
// could not be read counts by its file name, so that joins to its table are
// not reported as well.
func (l *loading) tableNames() []string {
	first := map[string]*source{}
	for _, s := range l.sources {
		name := s.table.Name
		if name == "" {
			name = strings.TrimSuffix(path.Base(s.file), path.Ext(s.file))
		}
		if other := first[name]; other != nil && s.table.Name != "" {
			line, column := spot(s, "table")
			l.wrong(s.file, line, column, fmt.Sprintf("table %q is described in %s already", name, other.file), "keep one of the two")
			continue
		}
		first[name] = s
		l.project.files[name] = s.file
	}
	return slices.Sorted(maps.Keys(first))
}

func spot(s *source, keys ...string) (line, column int) {
	if n := yamldoc.At(s.doc.Root, keys...); n != nil {
		return n.Line, n.Column
	}
	return 1, 1
}

func (l *loading) columns(s *source) {
	seen := map[string]bool{}
	var names []string
	unnamed := false
	for i, c := range s.table.Columns {
		if c.Name == "" {
			unnamed = true
			continue
		}
		if seen[c.Name] {
			line, column := spot(s, "columns", fmt.Sprint(i), "name")
			l.wrong(s.file, line, column, fmt.Sprintf("column %q stands twice", c.Name), "merge the two")
			continue
		}
		seen[c.Name] = true
		names = append(names, c.Name)
	}
	for i, key := range s.table.PrimaryKey {
		if len(names) > 0 && !seen[key] && !unnamed {
			line, column := spot(s, "primary_key", fmt.Sprint(i))
			l.wrong(s.file, line, column, fmt.Sprintf("primary key %q: no such column", key), nearest(key, names))
		}
	}
}

// joins reports a target that looks misspelled. One that looks like no table of
// the project may be a table that nobody has described yet.
func (l *loading) joins(s *source, tables []string) {
	for i, j := range s.table.Joins {
		if _, known := slices.BinarySearch(tables, j.To); known || j.To == "" {
			continue
		}
		line, column := spot(s, "joins", fmt.Sprint(i), "to")
		message := fmt.Sprintf("join to %q: no such table", j.To)
		if near := nearest(j.To, tables); near != "" {
			l.wrong(s.file, line, column, message, near)
		} else {
			l.warn(s.file, line, column, message+" in this project", "describe it in "+SemanticsDir+"/")
		}
	}
}

// allowedValues reports names of profile.allow_values that look misspelled: what
// they were meant to allow would stay hidden.
func (l *loading) allowedValues(tables []string) {
	for i, name := range l.project.Manifest.Profile.AllowValues {
		n := yamldoc.At(l.project.spots["profile.allow_values"], fmt.Sprint(i))
		if n == nil {
			continue
		}
		column := lastPart(name)
		table := strings.TrimSuffix(strings.TrimSuffix(name, column), ".")
		s := l.sourceOf(table)
		switch {
		case table == "":
			l.wrong(ManifestFile, n.Line, n.Column, fmt.Sprintf("%q names no column", name), "write table.column or table.*")
		case s == nil && slices.ContainsFunc(tables, func(known string) bool { return strings.EqualFold(known, table) }): // its file is wrong
		case s == nil:
			if near := nearest(table, tables); near != "" {
				l.wrong(ManifestFile, n.Line, n.Column, fmt.Sprintf("%q: no such table", name), near)
			}
		case column != "*" && !slices.ContainsFunc(s.table.Columns, func(c semantic.Column) bool { return strings.EqualFold(c.Name, column) }):
			var columns []string
			for _, c := range s.table.Columns {
				columns = append(columns, c.Name)
			}
			if near := nearest(column, columns); near != "" {
				l.wrong(ManifestFile, n.Line, n.Column, fmt.Sprintf("%q: no such column", name), near)
			}
		}
	}
}

func (l *loading) sourceOf(table string) *source {
	i := slices.IndexFunc(l.sources, func(s *source) bool { return strings.EqualFold(s.table.Name, table) })
	if i < 0 {
		return nil
	}
	return l.sources[i]
}

// nearest words the known names that name was probably meant to be. Names of
// one schema are compared without it, else any two would be alike; then a
// schema too many or too few is forgiven.
func nearest(name string, known []string) string {
	last := lastPart(name)
	schema := strings.TrimSuffix(name, last)
	var siblings, near []string
	for _, k := range known {
		if strings.TrimSuffix(k, lastPart(k)) == schema {
			siblings = append(siblings, lastPart(k))
		}
	}
	for _, k := range yamldoc.Nearest(last, siblings) {
		near = append(near, schema+k)
	}
	if len(near) == 0 {
		for _, k := range known {
			if strings.EqualFold(lastPart(k), last) {
				near = append(near, k)
			}
		}
	}
	if len(near) == 0 {
		near = yamldoc.OneLetter(name, known)
	}
	if len(near) == 0 {
		return ""
	}
	return "nearest: " + strings.Join(near, ", ")
}

func lastPart(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// names reports a name that a table has twice, and warns of one that two
// tables share: answers cite measures and filters by name.
func (l *loading) names(s *source, key string, n int, name func(int) string, named map[string]string) {
	seen := map[string]bool{}
	kind := strings.TrimSuffix(key, "s")
	for i := range n {
		fold := strings.ToLower(name(i))
		if fold == "" {
			continue
		}
		line, column := spot(s, key, fmt.Sprint(i), "name")
		other := named[key+" "+fold]
		switch {
		case seen[fold]:
			l.wrong(s.file, line, column, fmt.Sprintf("%s %q stands twice", kind, name(i)), "rename one of the two")
		case other != "" && other != s.file:
			l.warn(s.file, line, column, fmt.Sprintf("%s %q stands in %s too", kind, name(i), other), "give each its own name")
		}
		seen[fold], named[key+" "+fold] = true, s.file
	}
}

func (l *loading) repeatedQuestions() {
	first := map[string]string{}
	for _, s := range l.asked {
		for i, e := range s.examples {
			fold := strings.Join(strings.Fields(strings.ToLower(e.Question)), " ")
			if fold == "" {
				continue
			}
			n := s.nodes[i]
			if at := first[fold]; at != "" {
				l.warn(s.file, n.Line, n.Column, "the same question stands at "+at+" too", "keep one of the two")
				continue
			}
			first[fold] = Mistake{File: s.file, Line: n.Line, Column: n.Column}.Place()
		}
	}
}
