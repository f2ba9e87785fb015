package term

import (
	"fmt"
	"strings"
)

// Table is a table to print. Cells are shown as they are, cleaned.
type Table struct {
	Header []string
	Rows   [][]string
	// Right holds the columns that are aligned at their right end.
	Right []bool
	// Indent is the number of cells before each line.
	Indent int
}

const (
	gap       = 2
	minColumn = 4
	// maxColumn keeps one long text from pushing everything else away where
	// no terminal says how wide a line may be.
	maxColumn = 60
)

// Render gives the table's lines within width cells; 0 means no limit but
// that of a single cell. Columns that do not fit are left out, and the last
// line says how many.
func (t Table) Render(width int, style Style) string {
	if len(t.Header) == 0 {
		return ""
	}
	header, rows := t.cleaned()
	widths := natural(header, rows)
	shown := len(widths)
	if width > 0 {
		shown = fit(widths, width-t.Indent)
	}

	var b strings.Builder
	lead := strings.Repeat(" ", t.Indent)
	line := func(cells []string, paint func(string) string) {
		var l strings.Builder
		for i := range shown {
			if i > 0 {
				l.WriteString(strings.Repeat(" ", gap))
			}
			cell := Cut(cells[i], widths[i], style.More)
			pad := strings.Repeat(" ", max(widths[i]-Width(cell), 0))
			if paint != nil {
				cell = paint(cell)
			}
			switch {
			case t.right(i):
				l.WriteString(pad + cell)
			case i == shown-1:
				l.WriteString(cell)
			default:
				l.WriteString(cell + pad)
			}
		}
		b.WriteString(strings.TrimRight(lead+l.String(), " ") + "\n")
	}

	line(header, style.Strong)
	rules := make([]string, len(widths))
	for i, w := range widths {
		rules[i] = strings.Repeat(style.Rule, w)
	}
	line(rules, style.Dim)
	for _, row := range rows {
		line(row, nil)
	}
	if hidden := len(widths) - shown; hidden > 0 {
		note := fmt.Sprintf("%s and %s", style.More, Counted(hidden, "more column"))
		if width > 0 {
			note = Cut(note, max(width-t.Indent, 1), style.More)
		}
		fmt.Fprintf(&b, "%s%s\n", lead, style.Dim(note))
	}
	return b.String()
}

func (t Table) right(i int) bool { return i < len(t.Right) && t.Right[i] }

func (t Table) cleaned() (header []string, rows [][]string) {
	header = make([]string, len(t.Header))
	for i, h := range t.Header {
		header[i] = Clean(h)
	}
	rows = make([][]string, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = make([]string, len(header))
		for j := range header {
			if j < len(row) {
				rows[i][j] = Clean(row[j])
			}
		}
	}
	return header, rows
}

func natural(header []string, rows [][]string) []int {
	widths := make([]int, len(header))
	for i, h := range header {
		widths[i] = max(min(Width(h), maxColumn), 1)
		for _, row := range rows {
			widths[i] = max(widths[i], min(Width(row[i]), maxColumn))
		}
	}
	return widths
}

// fit narrows the widest columns until the first ones fit, and gives how many
// of them do.
func fit(widths []int, room int) int {
	for shown := len(widths); shown > 1; shown-- {
		total := gap * (shown - 1)
		for _, w := range widths[:shown] {
			total += min(w, minColumn)
		}
		if total <= room {
			narrow(widths[:shown], room-gap*(shown-1))
			return shown
		}
	}
	narrow(widths[:1], max(room, 1))
	return 1
}

// narrow takes cells from the widest column, again and again, until the sum
// is at most room.
func narrow(widths []int, room int) {
	sum := 0
	for _, w := range widths {
		sum += w
	}
	for sum > room {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= 1 {
			return
		}
		widths[widest]--
		sum--
	}
}
