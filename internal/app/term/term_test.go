package term

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestATableFitsItsTerminal(t *testing.T) {
	table := Table{
		Header: []string{"国", "note", "n"},
		Rows: [][]string{
			{"日本国", strings.Repeat("long ", 30), "1"},
			{"🇩🇰 DK", "a\x1b[31mb\r\nc\u202e", strings.Repeat("9", 300)},
			{"x", "\xff", ""},
		},
		Right: []bool{false, false, true}, Indent: 2,
	}
	for _, width := range []int{1, 5, 12, 20, 40, 80, 200} {
		for _, line := range strings.Split(strings.TrimRight(table.Render(width, newStyle(false, true)), "\n"), "\n") {
			if w := Width(line); w > max(width, 4) || strings.ContainsAny(line, "\x1b\r\u202e") || !utf8.ValidString(line) {
				t.Errorf("width %d: %d cells in %q", width, w, line)
			}
		}
	}
}

func TestTableLooks(t *testing.T) {
	got := Table{Header: []string{"country", "net"}, Rows: [][]string{{"Denmark", "182,340.55"}, {"名", "1"}}, Right: []bool{false, true}, Indent: 2}.
		Render(80, newStyle(false, true))
	want := "" +
		"  country         net\n" +
		"  ───────  ──────────\n" +
		"  Denmark  182,340.55\n" +
		"  名                1\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := (Table{}).Render(80, newStyle(false, true)); got != "" {
		t.Errorf("a table of no columns: %q", got)
	}
}

func TestCleanShowsWhatATerminalWouldHide(t *testing.T) {
	for in, want := range map[string]string{
		"plain ü 名 👩‍🔧": "plain ü 名 👩‍🔧", "a\nb\tc\r": `a\nb\tc\r`, "\x1b]0;x\x07": `\x1b]0;x\x07`,
		"\u202eabc": `\u202eabc`, "a\xffb": `a\xffb`, "\u0085": `\u0085`, "\ufeffx": `\ufeffx`,
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := CleanLines("a\n\tb\r\x00"); got != "a\n\tb\\r\\x00" {
		t.Errorf("%q", got)
	}
}

func TestThousands(t *testing.T) {
	for in, want := range map[string]string{
		"2026": "2,026", "999": "999", "12345": "12,345", "-1234567.8901": "-1,234,567.8901", "1e10": "1e10", "12345a": "12345a", "": "", "0.12345678": "0.12345678", "123456789012345678901": "123,456,789,012,345,678,901",
	} {
		if got := Thousands(in); got != want {
			t.Errorf("Thousands(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestTheEndOfTheInputIsNoAnswer(t *testing.T) {
	var out bytes.Buffer
	s := Plain(strings.NewReader("  yes \nno"), &out, &out)
	if _, err := s.Ask(t.Context(), "go on?"); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("without a terminal: %v", err)
	}
	s.InTTY = true
	if got, err := s.Ask(t.Context(), "go on?"); err != nil || got != "yes" {
		t.Errorf("%q %v", got, err)
	}
	if got, err := s.Ask(t.Context(), "go on?"); !errors.Is(err, ErrAborted) {
		t.Errorf("a line that never ended counts as %q, %v", got, err)
	}
}

func TestColourAndMarksFollowTheEnvironment(t *testing.T) {
	if got := newStyle(true, true).Accent("x"); got != "\x1b[36mx\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := newStyle(false, false); got.Accent("x") != "x" || got.OK != "ok" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		environ []string
		want    bool
	}{
		{nil, false}, {[]string{"LANG=C"}, false}, {[]string{"LANG=en_US.UTF-8"}, true}, {[]string{"LANG=en_US.UTF-8", "LC_ALL=C"}, false}, {[]string{"LC_CTYPE=C.utf8"}, true},
	} {
		if got := isUTF8(c.environ); got != c.want {
			t.Errorf("isUTF8(%v) = %v", c.environ, got)
		}
	}
}

func TestStatusIsForTerminalsOnly(t *testing.T) {
	var out bytes.Buffer
	s := Plain(nil, &out, &out)
	s.Status("working")
	if out.Len() != 0 {
		t.Errorf("%q", out.String())
	}
	s.ErrTTY, s.errWidth = true, 10
	s.Status("working hard on it")
	s.Status("")
	s.Status("")
	if got := out.String(); got != "\r\x1b[Kworking …\r\x1b[K" {
		t.Errorf("%q", got)
	}
}

func TestWrap(t *testing.T) {
	for _, text := range []string{"one two three four five six", "short", "先月の売上の合計を国ごとに求めます。注文は確定分だけ。", strings.Repeat("x", 100), "a " + strings.Repeat("y", 40) + " b", ""} {
		got := Wrap(text, 16, 6, 4)
		for i, line := range strings.Split(got, "\n") {
			room := 16
			if i == 0 {
				room = 10
			} else if !strings.HasPrefix(line, "    ") {
				t.Errorf("%q is not indented", line)
			}
			if Width(line) > room {
				t.Errorf("%q takes %d cells, not %d", line, Width(line), room)
			}
		}
		if strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(text), "") {
			t.Errorf("%q lost something: %q", text, got)
		}
	}
	if Wrap("a b", 0, 4, 4) != "a b" {
		t.Error("a width of 0 wraps")
	}
}

func FuzzTextIsSafeAndFits(f *testing.F) {
	f.Add("a\x1b[31mb\r\n", 10)
	f.Add("日本国🇩🇰\u202e\xff", 3)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 2 + (width%100+100)%100
		clean := Clean(text)
		for _, r := range clean {
			if hidden(r) {
				t.Fatalf("%q keeps %q", text, r)
			}
		}
		for _, line := range strings.Split(Wrap(clean, width+20, 5, 4), "\n") {
			if Width(line) > width+20 {
				t.Fatalf("%q takes %d cells, not %d", line, Width(line), width+20)
			}
		}
		table := Table{Header: []string{text, "b"}, Rows: [][]string{{"x", text}, {text, text}}}
		for _, line := range strings.Split(table.Render(width, newStyle(false, true)), "\n") {
			if Width(line) > width {
				t.Fatalf("%q takes %d cells, not %d", line, Width(line), width)
			}
		}
	})
}
