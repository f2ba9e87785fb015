package compare

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/sqbyl/sqbyl/internal/engine/compare/cell"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// maxNear bounds the rows looked at for the nearest row on the other side.
const maxNear = 200

// difference says in one line what a person would point at first.
func (c *comparison) difference(v Verdict) string {
	switch v {
	case Exact:
		return ""
	case ColumnOrder:
		if c.misnamed() {
			return "columns go by name here: " + c.movedByName()
		}
		return fmt.Sprintf("the gold's rows with columns in another order: gold column %s is %s of the answer",
			c.columnMoved(), c.columnAt())
	case RowOrder:
		return c.rowOrder()
	case ExtraColumns:
		return c.extraColumns()
	case MissingColumns:
		return c.missingColumns()
	case Duplicates:
		return c.duplicates()
	case Rounding:
		return c.rounding()
	case Ties:
		return c.ties()
	default:
		return c.rowsApart()
	}
}

func (c *comparison) movedByName() string {
	for j, k := range c.byName() {
		if j != k {
			return fmt.Sprintf("gold column %s (%s) has its values in the answer's column %s",
				c.goldName(j), ordinal(j), columnName(c.pred, j))
		}
	}
	return ""
}

func (c *comparison) columnMoved() string {
	return c.goldName(c.firstMoved()) + " (" + ordinal(c.firstMoved()) + ")"
}

func (c *comparison) columnAt() string { return "the " + ordinal(c.mapping[c.firstMoved()]) }

func (c *comparison) firstMoved() int {
	for j, k := range c.mapping {
		if j != k {
			return j
		}
	}
	return 0
}

func ordinal(i int) string {
	n := i + 1
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

func (c *comparison) goldName(j int) string { return columnName(c.Result, j) }

func columnName(r *db.Result, j int) string {
	if name := oneLine(r.Columns[j].Name, 40); name != "" {
		return name
	}
	return "column " + strconv.Itoa(j+1)
}

func (c *comparison) rowOrder() string {
	all := positions(width(c.Result))
	for i := range c.pair.goldClass {
		if inPlace(c.Result.Rows[i:i+1], c.pred.Rows[i:i+1], all, all, c.tol) {
			continue
		}
		return fmt.Sprintf("the gold's rows in another order, first at row %d: gold %s, got %s",
			i+1, rowText(c.Result.Rows[i]), rowText(c.pred.Rows[i]))
	}
	return "the gold's rows in another order"
}

func (c *comparison) extraColumns() string {
	used := make([]bool, width(c.pred))
	for _, k := range c.mapping {
		used[k] = true
	}
	var names []string
	for k := range used {
		if !used[k] {
			names = append(names, columnName(c.pred, k))
		}
	}
	return counted(len(names), "column") + " more than the gold: " + listed(names)
}

func (c *comparison) missingColumns() string {
	if c.misnamed() {
		return c.unnamed()
	}
	found := make([]bool, width(c.Result))
	for _, j := range c.narrower() {
		found[j] = true
	}
	var names []string
	for j := range found {
		if !found[j] {
			names = append(names, c.goldName(j))
		}
	}
	return counted(len(names), "column") + " missing: " + listed(names)
}

// unnamed lists the gold's columns whose names the answer does not have.
func (c *comparison) unnamed() string {
	free := make(map[string]int)
	for _, column := range c.pred.Columns {
		free[strings.ToLower(column.Name)]++
	}
	var names []string
	for j, column := range c.Result.Columns {
		if name := strings.ToLower(column.Name); free[name] > 0 {
			free[name]--
			continue
		}
		names = append(names, c.goldName(j))
	}
	return counted(len(names), "column") + " missing by name: " + listed(names)
}

func (c *comparison) duplicates() string {
	different, first := 0, -1
	for class := range c.pair.goldCount {
		if c.pair.goldCount[class] != c.pair.predCount[class] {
			different++
			if first < 0 {
				first = class
			}
		}
	}
	for i, class := range c.pair.goldClass {
		if int(class) == first {
			return fmt.Sprintf("%s not as often: %s is %s in the gold, %s in the answer", counted(different, "row"),
				rowText(c.Result.Rows[i]), times(c.pair.goldCount[class]), times(c.pair.predCount[class]))
		}
	}
	return ""
}

func times(n int32) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

func (c *comparison) rounding() string {
	partner := c.roundPartner
	if c.found.Tolerant {
		c.paired()
		partner = c.matched.partner
	}
	different, first, at := 0, -1, 0
	for i := range c.Result.Rows {
		p := int(partner[i])
		if p >= 0 && c.firstDifferent(i, p) >= 0 {
			different++
			if first < 0 {
				first, at = i, p
			}
		}
	}
	if first < 0 {
		return "equal within the tolerance"
	}
	j := c.firstDifferent(first, at)
	return fmt.Sprintf("equal up to rounding in %s; row %d, %s: gold %s, got %s", ofRows(different, len(c.Result.Rows)),
		first+1, c.goldName(j), cellText(&c.Result.Rows[first][j]), cellText(&c.pred.Rows[at][j]))
}

// firstDifferent is the first column in which two rows are not exactly equal,
// -1 where there is none.
func (c *comparison) firstDifferent(gold, answer int) int {
	for j := range c.Result.Columns {
		if !cell.Exactly.Equal(&c.Result.Rows[gold][j], &c.pred.Rows[answer][j]) {
			return j
		}
	}
	return -1
}

func (c *comparison) ties() string {
	if width(c.Result) != width(c.pred) || !c.found.Ordered {
		return "other rows of a tie that the gold's LIMIT cuts; any of them is right"
	}
	var rows []string
	different := 0
	for i := range c.Result.Rows {
		if c.pair.goldClass[i] != c.pair.predClass[i] {
			different++
			rows = append(rows, strconv.Itoa(i+1))
		}
	}
	what := "row " + rows[0] + " has"
	if len(rows) > 1 {
		what = "rows " + listed(rows) + " have"
	}
	label := ""
	if tie := c.tieOfLast(); tie < len(c.key.Label) {
		label = " (" + oneLine(c.key.Label[tie], 60) + ")"
	}
	return fmt.Sprintf("%s%s: %s the same order key%s as rows the gold's LIMIT cuts off; any of them is right",
		ofRows(different, len(c.Result.Rows)), differs(different), what, label)
}

func (c *comparison) tieOfLast() int {
	to := min(c.key.Offset+len(c.Result.Rows), len(c.key.Rows))
	if to == 0 {
		return 0
	}
	return int(c.key.Tie[to-1])
}

// rowsApart tells of rows without a partner: a cell where a near row is on the
// other side, else a row.
func (c *comparison) rowsApart() string {
	gold, answer := width(c.Result), width(c.pred)
	if gold != answer {
		return fmt.Sprintf("gold has %s and %s, the answer %s and %s", counted(gold, "column"),
			counted(len(c.Result.Rows), "row"), counted(answer, "column"), counted(len(c.pred.Rows), "row"))
	}
	missing, extra := c.unpaired()
	switch {
	case len(c.pred.Rows) == 0:
		return fmt.Sprintf("the answer is empty, gold has %s; the first: %s", counted(len(missing), "row"), rowText(c.Result.Rows[0]))
	case len(c.Result.Rows) == 0:
		return fmt.Sprintf("gold is empty, the answer has %s; the first: %s", counted(len(extra), "row"), rowText(c.pred.Rows[0]))
	case len(extra) == 0:
		return fmt.Sprintf("%s missing; row %d: %s", ofRows(len(missing), len(c.Result.Rows)), missing[0]+1, rowText(c.Result.Rows[missing[0]]))
	case len(missing) == 0:
		return fmt.Sprintf("%s more than the gold's %d; row %d of the answer: %s", counted(len(extra), "row"),
			len(c.Result.Rows), extra[0]+1, rowText(c.pred.Rows[extra[0]]))
	}
	head := fmt.Sprintf("%s missing, %s extra", ofRows(len(missing), len(c.Result.Rows)), counted(len(extra), "row"))
	if len(missing) == len(extra) {
		head = ofRows(len(missing), len(c.Result.Rows)) + differs(len(missing))
	}
	g, a := c.nearest(missing, extra)
	j := c.firstApart(g, a)
	return fmt.Sprintf("%s; row %d, %s: gold %s, got %s", head, g+1, c.goldName(j),
		cellText(&c.Result.Rows[g][j]), cellText(&c.pred.Rows[a][j]))
}

func (c *comparison) unpaired() (missing, extra []int) {
	c.paired()
	taken := make([]bool, len(c.pred.Rows))
	for i, p := range c.matched.partner {
		if p < 0 {
			missing = append(missing, i)
		} else {
			taken[p] = true
		}
	}
	for i := range taken {
		if !taken[i] {
			extra = append(extra, i)
		}
	}
	return missing, extra
}

// nearest is a row without a partner and the row of the other side that shares
// most cells with it; of equals the first, in the same place if there is one.
func (c *comparison) nearest(missing, extra []int) (gold, answer int) {
	best := -1
	gold, answer = missing[0], extra[0]
	for _, g := range missing[:min(len(missing), maxNear)] {
		for _, a := range extra[:min(len(extra), maxNear)] {
			shared := 0
			for j := range c.Result.Columns {
				if c.tol.Equal(&c.Result.Rows[g][j], &c.pred.Rows[a][j]) {
					shared += 2
				}
			}
			if g == a {
				shared++
			}
			if shared > best {
				best, gold, answer = shared, g, a
			}
		}
	}
	return gold, answer
}

// firstApart is the first column in which two rows differ beyond the
// tolerance.
func (c *comparison) firstApart(gold, answer int) int {
	for j := range c.Result.Columns {
		if !c.tol.Equal(&c.Result.Rows[gold][j], &c.pred.Rows[answer][j]) {
			return j
		}
	}
	return 0
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func ofRows(n, all int) string { return fmt.Sprintf("%d of %s", n, counted(all, "row")) }

func differs(n int) string {
	if n == 1 {
		return " differs"
	}
	return " differ"
}

// listed joins a few words: "a, b and 3 more".
func listed(words []string) string {
	const most = 4
	if len(words) > most {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
	}
	if len(words) > 1 {
		return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
	}
	return strings.Join(words, "")
}

func rowText(row []db.Value) string {
	const most = 5
	var cells []string
	for i := range row {
		if i == most {
			cells = append(cells, "…")
			break
		}
		cells = append(cells, cellText(&row[i]))
	}
	return "(" + strings.Join(cells, ", ") + ")"
}

// cellText is a value as the engine printed it; text is quoted.
func cellText(v *db.Value) string {
	text := oneLine(v.String(), 60)
	if v.Kind() == db.Text {
		return "'" + text + "'"
	}
	return text
}

// oneLine cuts text to runes characters and shows control characters as
// spaces.
func oneLine(text string, runes int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, text)
	count := 0
	for i := range text {
		if count == runes {
			return text[:i] + "…"
		}
		count++
	}
	return text
}
