package term

// Style is how text is marked: colours where they are wanted, and the marks
// the locale can show.
type Style struct {
	colour                       bool
	OK, Bad, Step, Dot, More     string
	Rule, Dash, BarFull, BarLeft string
}

func newStyle(colour, unicode bool) Style {
	s := Style{colour: colour, OK: "✓", Bad: "✗", Step: "▸", Dot: "·", More: "…", Rule: "─", Dash: "–", BarFull: "█", BarLeft: "░"}
	if !unicode {
		s.OK, s.Bad, s.Step, s.Dot, s.More = "ok", "x", ">", "-", "..."
		s.Rule, s.Dash, s.BarFull, s.BarLeft = "-", "-", "#", "."
	}
	return s
}

func (s Style) mark(code, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Accent marks what matters.
func (s Style) Accent(text string) string { return s.mark("36", text) }

// Dim marks what is secondary.
func (s Style) Dim(text string) string { return s.mark("2", text) }

// Strong marks headings.
func (s Style) Strong(text string) string { return s.mark("1", text) }

// Good marks success, Wrong failure.
func (s Style) Good(text string) string { return s.mark("32", text) }

// Wrong marks failure.
func (s Style) Wrong(text string) string { return s.mark("31", text) }

// Text marks quoted values in SQL.
func (s Style) Text(text string) string { return s.mark("33", text) }
