// Package term is what the product needs of a terminal: streams, colour and
// width, tables that fit, status lines, questions to a person.
package term

import (
	"bufio"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/charmbracelet/colorprofile"
	xterm "golang.org/x/term"
)

// Streams are a program's standard streams and what is known about them.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// InTTY and its like report whether a person is at the other end.
	InTTY, OutTTY, ErrTTY bool
	// Width is the number of cells of a line, 0 when there is no terminal.
	Width int
	// Quiet shows no status.
	Quiet bool
	// Style is how output looks, ErrStyle how messages look.
	Style, ErrStyle Style

	errWidth int // of a line of messages, 0 when there is no terminal
	lines    *bufio.Reader
	status   bool // a status line is shown
}

// System gives the process's own streams; environ is its environment, as
// os.Environ has it.
func System(environ []string) *Streams {
	s := &Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: isTerminal(os.Stdin), OutTTY: isTerminal(os.Stdout), ErrTTY: isTerminal(os.Stderr),
	}
	unicode := isUTF8(environ)
	s.Style = newStyle(colorprofile.Detect(os.Stdout, environ) > colorprofile.ASCII, unicode)
	s.ErrStyle = newStyle(colorprofile.Detect(os.Stderr, environ) > colorprofile.ASCII, unicode)
	if s.OutTTY {
		s.Width = widthOf(os.Stdout)
	}
	if s.ErrTTY {
		s.errWidth = widthOf(os.Stderr)
	}
	return s
}

func widthOf(f *os.File) int {
	width, _, err := xterm.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Plain gives streams without a terminal, for tests and pipes.
func Plain(in io.Reader, out, errOut io.Writer) *Streams {
	return &Streams{In: in, Out: out, Err: errOut, Style: newStyle(false, true), ErrStyle: newStyle(false, true)}
}

func isTerminal(f *os.File) bool { return xterm.IsTerminal(int(f.Fd())) }

// isUTF8 asks the locale, of which the first set variable counts.
func isUTF8(environ []string) bool {
	if runtime.GOOS == "windows" {
		return true
	}
	vars := make(map[string]string, 3)
	for _, entry := range environ {
		name, v, _ := strings.Cut(entry, "=")
		vars[name] = v
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(vars[name]); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}
