package term

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width is the number of cells that s takes.
func Width(s string) int { return ansi.StringWidth(s) }

// Cut shortens s to at most width cells, more standing for what is missing.
func Cut(s string, width int, more string) string {
	if ansi.StringWidth(s) <= width {
		return s
	}
	return ansi.Truncate(s, width, more)
}

// Clean makes s safe for a terminal on one line: line ends, escapes and
// characters that turn the reading direction are shown as codes, bytes that
// are not UTF-8 as \xNN.
func Clean(s string) string { return clean(s, false) }

// CleanLines is Clean for text of several lines.
func CleanLines(s string) string { return clean(s, true) }

// pageTitle and pageTag find the title and the tags of a web page.
var (
	pageTitle = regexp.MustCompile(`(?is)<title[^>]*>\s*(.*?)\s*</title>`)
	pageTag   = regexp.MustCompile(`(?s)<[^>]*>`)
)

// NoHTML puts the title of a web page, or else the beginning of its text, in
// the place of a page that a message carries: proxies answer with pages.
func NoHTML(s string) string {
	lower := strings.ToLower(s)
	from := strings.Index(lower, "<!doctype html")
	if from < 0 {
		from = strings.Index(lower, "<html")
	}
	if from < 0 || len(lower) != len(s) {
		return s
	}
	page, rest := s[from:], ""
	if end := strings.LastIndex(lower[from:], "</html>") + len("</html>"); end > len("</html>") {
		page, rest = page[:end], strings.TrimSpace(page[end:])
	}
	text := pageTag.ReplaceAllString(page, " ")
	if m := pageTitle.FindStringSubmatch(page); m != nil && m[1] != "" {
		text = m[1]
	}
	text = Cut(strings.Join(strings.Fields(text), " "), 120, "…")
	return strings.TrimSpace(s[:from] + `a web page, "` + text + `" ` + rest)
}

func clean(s string, lines bool) string {
	if !needsCleaning(s, lines) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !hidden(r), lines && (r == '\n' || r == '\t'):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

func needsCleaning(s string, lines bool) bool {
	if !utf8.ValidString(s) {
		return true
	}
	for _, r := range s {
		if hidden(r) && !(lines && (r == '\n' || r == '\t')) {
			return true
		}
	}
	return false
}

// hidden reports controls, and format characters but the joiners that emoji
// and some scripts need.
func hidden(r rune) bool {
	if unicode.IsControl(r) {
		return true
	}
	return unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c' && r < 0xE0000
}

// Wrap breaks s between words so that no line takes more than width cells. Of
// the first line so many are taken already, further ones are indented; a width
// of 0 or less leaves s whole. A word that fits no line is cut.
func Wrap(s string, width, taken, indent int) string {
	if width <= 0 || taken+Width(s) <= width {
		return s
	}
	width = max(width, indent+8)
	var b strings.Builder
	used, fresh := taken, true
	for _, word := range strings.Fields(s) {
		if !fresh && used+1+Width(word) > width {
			b.WriteString("\n" + strings.Repeat(" ", indent))
			used, fresh = indent, true
		}
		if !fresh {
			b.WriteByte(' ')
			used++
		}
		if used+Width(word) > width {
			head := ansi.Truncate(word, max(width-used, 1), "")
			b.WriteString(head + "\n" + strings.Repeat(" ", indent))
			rest := strings.Split(ansi.Hardwrap(word[len(head):], width-indent, true), "\n")
			b.WriteString(strings.Join(rest[:len(rest)-1], "\n"+strings.Repeat(" ", indent)))
			if len(rest) > 1 {
				b.WriteString("\n" + strings.Repeat(" ", indent))
			}
			word, used = rest[len(rest)-1], indent
		}
		b.WriteString(word)
		used, fresh = used+Width(word), false
	}
	return b.String()
}

// Thousands groups the digits before the point of a plain number.
func Thousands(number string) string {
	sign, digits := "", number
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	whole, rest := digits, ""
	if dot := strings.IndexByte(digits, '.'); dot >= 0 {
		whole, rest = digits[:dot], digits[dot:]
	}
	if len(whole) < 4 || strings.Trim(whole+strings.TrimPrefix(rest, "."), "0123456789") != "" {
		return number
	}
	var b strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return sign + b.String() + rest
}

// Counted is a number with its noun, in the plural where it needs one.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "ry"); ok {
		noun = stem + "rie"
	}
	return Thousands(strconv.Itoa(n)) + " " + noun + "s"
}

// Seconds is a duration in seconds with two honest digits.
func Seconds(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s >= 10:
		return fmt.Sprintf("%.0f", s)
	case s >= 1:
		return fmt.Sprintf("%.1f", s)
	case s >= 0.1:
		return fmt.Sprintf("%.2f", s)
	case s >= 0.001:
		return fmt.Sprintf("%.3f", s)
	}
	return "<0.001"
}
