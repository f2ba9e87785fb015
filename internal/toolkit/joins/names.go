package joins

import (
	"slices"
	"strings"
	"unicode"
)

// keyWords are words that say "key" and nothing about whose.
var keyWords = wordSet("id ids key code cd no nr num number nbr uid uuid guid pk fk sk ref ident identifier oid")

// fillers stand around the word that names what a table holds.
var fillers = wordSet("tbl tb table tables dim fact fct stg staging raw lkp lookup mst master vw list data info record records")

// attributes are names that many unrelated tables share.
var attributes = wordSet(`name title label description note comment text value type kind status state flag level rank position sort order
	date day month year time timestamp hour created updated modified deleted start end begin created_at updated_at deleted_at
	age sex gender size width height length weight color lat latitude long lng longitude
	city country region address street zip postal phone fax email url website
	amount price cost total sum count quantity qty rate rating score share percent ratio balance currency salary bonus
	first last middle full short version language source reason result location active enabled`)

// parents are words for a row of the same table that stands above, or for kin.
var parents = wordSet(`parent manager mgr supervisor boss superior head reports report predecessor previous prev original ancestor root replaces replaced duplicate
	mother father spouse sibling`)

// roles are words for people who are not named by their table.
var roles = wordSet(`manager mgr supervisor boss head lead rep representative agent owner author creator editor assignee reviewer approver
	salesperson seller buyer recipient sender by responsible instructor advisor referrer`)

// people are tables that hold people, as singular words.
var people = wordSet("employee user staff person people member worker account contact personnel emp")

// irregular plurals, to singular.
var irregular = map[string]string{
	"people": "person", "persons": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "mice": "mouse", "indices": "index",
	"matrices": "matrix", "vertices": "vertex", "criteria": "criterion", "media": "media", "data": "data", "series": "series", "species": "species", "news": "news",
	"statuses": "status", "buses": "bus", "bonuses": "bonus", "viruses": "virus", "campuses": "campus", "censuses": "census", "movies": "movie", "cookies": "cookie",
	"analyses": "analysis", "diagnoses": "diagnosis", "crises": "crisis", "theses": "thesis", "hypotheses": "hypothesis", "syntheses": "synthesis",
	"aliases": "alias", "alias": "alias", "atlases": "atlas", "atlas": "atlas", "biases": "bias", "bias": "bias", "canvases": "canvas", "canvas": "canvas",
	"gases": "gas", "lenses": "lens", "lens": "lens", "quizzes": "quiz", "heroes": "hero", "potatoes": "potato", "tomatoes": "tomato", "echoes": "echo", "appendices": "appendix",
	"shelves": "shelf", "halves": "half", "wives": "wife", "knives": "knife", "wolves": "wolf", "thieves": "thief",
	"phenomena": "phenomenon", "bacteria": "bacterium", "curricula": "curriculum", "alumni": "alumnus", "formulae": "formula", "teeth": "tooth", "geese": "goose",
}

// short are abbreviations that are not simply the beginning of their word.
var short = map[string]string{
	"dept": "department", "mgr": "manager", "acct": "account", "acc": "account", "addr": "address", "qty": "quantity", "grp": "group", "usr": "user",
	"msg": "message", "prd": "product", "txn": "transaction", "trx": "transaction", "trans": "transaction", "ctry": "country", "cntry": "country",
	"wh": "warehouse", "whse": "warehouse", "pmt": "payment", "pymt": "payment", "shpmt": "shipment", "stmt": "statement", "svc": "service", "pt": "patient",
}

func wordSet(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// split cuts a name into lower-case words: at signs, at changes of case, and
// between letters and digits.
func split(name string) []string {
	var words []string
	runes := []rune(name)
	start := -1
	flush := func(end int) {
		if start >= 0 {
			words = append(words, strings.ToLower(string(runes[start:end])))
			start = -1
		}
	}
	for i, r := range runes {
		letter, digit := unicode.IsLetter(r), unicode.IsDigit(r)
		switch {
		case !letter && !digit:
			flush(i)
			continue
		case start < 0:
		case digit != unicode.IsDigit(runes[i-1]):
			flush(i)
		case unicode.IsUpper(r) && unicode.IsLower(runes[i-1]):
			flush(i) // stuId
		case unicode.IsUpper(r) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1]):
			flush(i) // URLName
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(runes))
	return words
}

// singular is a key to compare by: both sides of a comparison go through it.
func singular(w string) string {
	if s, ok := irregular[w]; ok {
		return s
	}
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "zzes")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

func singulars(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = singular(w)
	}
	return out
}

// entity is what a table's rows are called: its words without fillers and
// without a prefix that the schema's tables share.
func entity(table string, prefix string) []string {
	words := unprefixed(split(table), prefix)
	for len(words) > 1 && (fillers[words[0]] || len(words[0]) == 1) {
		words = words[1:]
	}
	for len(words) > 1 && fillers[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return singulars(words)
}

// sharedPrefix is what most tables' names begin with, "" for nothing: a word,
// app_users, or letters where names have no words, sbusers.
func sharedPrefix(tables []string) string {
	counts := map[string]int{}
	letters := ""
	for i, t := range tables {
		words := split(t)
		if len(words) > 1 {
			counts[words[0]]++
		}
		switch {
		case len(words) != 1:
			letters = ""
		case i == 0:
			letters = words[0]
		default:
			letters = commonStart(letters, words[0])
		}
	}
	for w, n := range counts {
		if n >= 3 && 10*n >= 7*len(tables) {
			return w
		}
	}
	if len(tables) < 3 || len(letters) < 2 || len(letters) > 4 {
		return ""
	}
	return letters
}

func commonStart(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// unprefixed takes the prefix off words.
func unprefixed(words []string, prefix string) []string {
	switch {
	case prefix == "" || len(words) == 0:
	case len(words) > 1 && words[0] == prefix:
		return words[1:]
	case len(words) == 1 && strings.HasPrefix(words[0], prefix) && len(words[0]) >= len(prefix)+3:
		return []string{words[0][len(prefix):]}
	}
	return words
}

// columnName is a column's name, read.
type columnName struct {
	words []string // singular
	// stem are the words without what says "key" at the end; isKey tells that
	// there was such a word.
	stem  []string
	isKey bool
}

func readColumn(name, prefix string) columnName {
	words := unprefixed(split(name), prefix)
	if len(words) > 1 && (words[0] == "fk" || words[0] == "pk") {
		words = words[1:]
	}
	c := columnName{words: singulars(words)}
	stem := words
	for len(stem) > 0 && keyWords[stem[len(stem)-1]] {
		stem, c.isKey = stem[:len(stem)-1], true
	}
	// idCustomer, id_customer
	if !c.isKey && len(stem) > 1 && (stem[0] == "id" || stem[0] == "key") {
		stem, c.isKey = stem[1:], true
	}
	// custid
	if !c.isKey && len(stem) > 0 {
		last := stem[len(stem)-1]
		for _, end := range []string{"id", "key", "code", "num"} {
			if rest, ok := strings.CutSuffix(last, end); ok && len(rest) >= 3 && len(words) == 1 {
				stem, c.isKey = append(slices.Clone(stem[:len(stem)-1]), rest), true
				break
			}
		}
	}
	c.stem = singulars(stem)
	return c
}

// plainKey reports a name that says "key" alone: id, code.
func (c columnName) plainKey() bool { return c.isKey && len(c.stem) == 0 }

// initialKey reports a key made of a table's initials: aid for authors.
func (c columnName) initialKey(entity []string) bool {
	return len(c.words) == 1 && len(entity) > 0 && (c.words[0] == initials(entity)+"id" || c.words[0] == initials(entity)+"key")
}

// likeness is how well words name a table.
type likeness uint8

const (
	unlike likeness = iota
	abbreviated
	headOnly // the last words of several: maker for car_makers
	exact
)

// names compares words with what a table's rows are called.
func names(words, entity []string) likeness {
	switch {
	case len(words) == 0 || len(entity) == 0:
		return unlike
	case slices.Equal(words, entity), strings.Join(words, "") == strings.Join(entity, ""):
		return exact
	case len(words) < len(entity) && slices.Equal(words, entity[len(entity)-len(words):]):
		return headOnly
	case len(words) == len(entity) && allShort(words, entity), len(words) == 1 && len(entity) > 1 && words[0] == initials(entity):
		return abbreviated
	case len(words) == 1 && len(entity) > 1 && len(words[0]) > 2 && isShort(words[0], entity[len(entity)-1]):
		return abbreviated
	}
	return unlike
}

func allShort(words, entity []string) bool {
	for i, w := range words {
		if w != entity[i] && !isShort(w, entity[i]) {
			return false
		}
	}
	return true
}

// isShort reports that w abbreviates word: its beginning, or a known form.
func isShort(w, word string) bool {
	if full, ok := short[w]; ok {
		return full == word
	}
	return len(w) >= 3 && len(w) < len(word) && strings.HasPrefix(word, w)
}

func initials(words []string) string {
	var b strings.Builder
	for _, w := range words {
		for _, r := range w {
			b.WriteRune(r)
			break
		}
	}
	return b.String()
}
