package sqlite

import (
	"bytes"

	"github.com/ncruces/go-sqlite3"
)

// The engine's own trim, instr and replace take time that grows with the
// square of their arguments, inside one call that no interrupt reaches: a text
// of 200 KB trimmed of 100,000 characters takes minutes. These give the same
// results (a test compares them) in linear time.

// replaceText puts them in the place of the engine's.
func replaceText(native *sqlite3.Conn) error {
	const pure = sqlite3.DETERMINISTIC | sqlite3.INNOCUOUS
	for _, f := range []struct {
		name string
		args int
		call sqlite3.ScalarFunction
	}{
		{"instr", 2, instr}, {"replace", 3, replaceAll},
		{"trim", 1, trimmer(true, true)}, {"trim", 2, trimmer(true, true)},
		{"ltrim", 1, trimmer(true, false)}, {"ltrim", 2, trimmer(true, false)},
		{"rtrim", 1, trimmer(false, true)}, {"rtrim", 2, trimmer(false, true)},
	} {
		if err := native.CreateFunction(f.name, f.args, pure, f.call); err != nil {
			return err
		}
	}
	return nil
}

// resultText gives empty text for a nil slice, which by itself means NULL.
func resultText(ctx sqlite3.Context, text []byte) {
	if len(text) == 0 {
		text = []byte{}
	}
	ctx.ResultRawText(text)
}

func anyNull(args []sqlite3.Value) bool {
	for _, a := range args {
		if a.Type() == sqlite3.NULL {
			return true
		}
	}
	return false
}

// instr counts bytes of blobs and characters of everything else, and finds
// only what begins where a character does.
func instr(ctx sqlite3.Context, args ...sqlite3.Value) {
	if anyNull(args) {
		return
	}
	if args[0].Type() == sqlite3.BLOB && args[1].Type() == sqlite3.BLOB {
		ctx.ResultInt(bytes.Index(args[0].RawBlob(), args[1].RawBlob()) + 1)
		return
	}
	// Copied: reading one argument as text may move the other.
	hay, needle := bytes.Clone(args[0].RawText()), bytes.Clone(args[1].RawText())
	from := 0
	for {
		i := bytes.Index(hay[from:], needle)
		if i < 0 {
			ctx.ResultInt(0)
			return
		}
		if i += from; i == 0 || len(needle) == 0 || !continues(hay[i]) {
			ctx.ResultInt(characters(hay[:i]) + 1)
			return
		}
		from = i + 1
	}
}

func continues(b byte) bool { return b&0xC0 == 0x80 }

// characters counts as SQLite steps: a byte and the continuations behind it.
func characters(text []byte) int {
	n := 0
	for i, b := range text {
		if i == 0 || !continues(b) {
			n++
		}
	}
	return n
}

func replaceAll(ctx sqlite3.Context, args ...sqlite3.Value) {
	if anyNull(args[:2]) {
		return
	}
	text, old := bytes.Clone(args[0].RawText()), bytes.Clone(args[1].RawText())
	if len(old) == 0 || old[0] == 0 {
		if args[0].Type() == sqlite3.BLOB {
			ctx.ResultValue(args[0])
		} else {
			resultText(ctx, text)
		}
		return
	}
	if anyNull(args[2:]) {
		return
	}
	with := bytes.Clone(args[2].RawText())
	n := bytes.Count(text, old)
	if size := len(text) + n*(len(with)-len(old)); size > limits[sqlite3.LIMIT_LENGTH] {
		ctx.ResultError(sqlite3.TOOBIG)
		return
	}
	resultText(ctx, bytes.ReplaceAll(text, old, with))
}

func trimmer(left, right bool) sqlite3.ScalarFunction {
	return func(ctx sqlite3.Context, args ...sqlite3.Value) {
		if anyNull(args) {
			return
		}
		text := bytes.Clone(args[0].RawText())
		set := newCharset([]byte(" "))
		if len(args) == 2 {
			set = newCharset(args[1].RawText())
		}
		for left && len(text) > 0 {
			n := set.match(text, func(n int) []byte { return text[:n] })
			if n == 0 {
				break
			}
			text = text[n:]
		}
		for right && len(text) > 0 {
			n := set.match(text, func(n int) []byte { return text[len(text)-n:] })
			if n == 0 {
				break
			}
			text = text[:len(text)-n]
		}
		resultText(ctx, text)
	}
}

// charset holds the place of characters by their bytes; lengths are those
// that occur.
type charset struct {
	members map[string]int
	lengths []int
}

// newCharset ends at a zero byte, as the engine does.
func newCharset(text []byte) charset {
	text, _, _ = bytes.Cut(text, []byte{0})
	c := charset{members: map[string]int{}}
	seen := map[int]bool{}
	for i := 0; i < len(text); {
		end := i + 1
		if text[i] >= 0xC0 {
			for end < len(text) && continues(text[end]) {
				end++
			}
		}
		if _, ok := c.members[string(text[i:end])]; !ok {
			c.members[string(text[i:end])] = i
		}
		if n := end - i; !seen[n] {
			seen[n] = true
			c.lengths = append(c.lengths, n)
		}
		i = end
	}
	return c
}

// match is the length of the first member at an end of text, 0 for none.
func (c charset) match(text []byte, end func(int) []byte) int {
	found, place := 0, -1
	for _, n := range c.lengths {
		if n > len(text) {
			continue
		}
		if at, ok := c.members[string(end(n))]; ok && (place < 0 || at < place) {
			found, place = n, at
		}
	}
	return found
}
