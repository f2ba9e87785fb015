// Package replay records the complete answers of a model in a file and gives
// them back. One file of JSON lines is at once the journal of a run, from
// which it resumes, and a recording that answers without any model.
package replay

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/sqbyl/sqbyl/llm"
)

// version is the format that Open writes and the newest that it reads.
const version = 1

// line is one line of a journal: the header, a block of a system prompt, or
// an answer. Blocks stand apart because every request of a run shares them.
type line struct {
	Version int `json:"sqbyl_recording,omitempty"`

	Block string `json:"block,omitempty"`
	Text  string `json:"text,omitempty"`

	Hash     string        `json:"hash,omitempty"`
	N        int           `json:"n,omitempty"`
	Role     string        `json:"role,omitempty"`
	System   []blockRef    `json:"system,omitempty"`
	Request  *llm.Request  `json:"request,omitempty"`
	Response *llm.Response `json:"response,omitempty"`
}

type blockRef struct {
	Block string        `json:"block"`
	Cache llm.CacheLife `json:"cache,omitempty"`
}

// Entry is one recorded answer.
type Entry struct {
	Line     int // in the file, from 1
	Hash     string
	N        int // the n-th answer to this request, from 1
	Role     string
	Request  llm.Request
	Response llm.Response
}

// Journal is an opened recording. It is safe for concurrent use by one
// process.
type Journal struct {
	name string

	mu      sync.Mutex
	file    *os.File // nil when it is read only
	size    int64
	lines   int
	blocks  map[string]string
	entries []Entry
	byKey   map[key]int
	count   map[string]int // answers recorded per hash
	served  map[string]int // answers per hash that a caller of this run has had
}

type key struct {
	hash string
	n    int
}

// Open opens the journal at path for reading and appending, and makes it when
// there is none. A last line that was torn by a crash is dropped.
func Open(path string) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	j := empty(filepath.Base(path))
	if err := j.read(f); err != nil {
		f.Close()
		return nil, err
	}
	if err := f.Truncate(j.size); err != nil {
		f.Close()
		return nil, fmt.Errorf("recording %s: drop its torn last line: %w", j.name, err)
	}
	j.file = f
	if j.lines == 0 {
		if err := j.append(line{Version: version}); err != nil {
			f.Close()
			return nil, err
		}
	}
	return j, nil
}

// Load reads a recording that is not appended to, from the disk or from files
// embedded in the program.
func Load(fsys fs.FS, name string) (*Journal, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open recording: %w", err)
	}
	defer f.Close()
	j := empty(name)
	if err := j.read(f); err != nil {
		return nil, err
	}
	if j.lines == 0 {
		return nil, fmt.Errorf("recording %s is empty", name)
	}
	return j, nil
}

func empty(name string) *Journal {
	return &Journal{name: name, blocks: map[string]string{}, byKey: map[key]int{}, count: map[string]int{}, served: map[string]int{}}
}

// Close ends appending.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}

// Entries gives every recorded answer in the order of the file.
func (j *Journal) Entries() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.entries)
}

// Unused gives the recorded answers that nobody has asked for yet: after a
// full replay, those that have gone stale.
func (j *Journal) Unused() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []Entry
	for _, e := range j.entries {
		if e.N > j.served[e.Hash] {
			out = append(out, e)
		}
	}
	return out
}

// Models names the models that gave the answers, as they named themselves.
func (j *Journal) Models() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []string
	for _, e := range j.entries {
		if !slices.Contains(out, e.Response.Model) {
			out = append(out, e.Response.Model)
		}
	}
	slices.Sort(out)
	return out
}

func (j *Journal) read(r io.Reader) error {
	b := bufio.NewReaderSize(r, 1<<16)
	for {
		raw, err := b.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read recording %s: %w", j.name, err)
		}
		if err != nil {
			return nil // what stands after the last line end was torn
		}
		var l line
		broken := json.Unmarshal(raw, &l)
		if broken == nil {
			broken = j.take(l, j.lines+1)
		}
		if broken != nil {
			if _, more := b.Peek(1); errors.Is(more, io.EOF) && isTorn(raw) {
				return nil
			}
			return fmt.Errorf("recording %s:%d: %w", j.name, j.lines+1, broken)
		}
		j.lines++
		j.size += int64(len(raw))
	}
}

// isTorn tells a line that a crash left unwritten in part: a file system may
// keep its length and lose its bytes.
func isTorn(raw []byte) bool { return bytes.IndexByte(raw, 0) >= 0 }

func (j *Journal) take(l line, number int) error {
	switch {
	case number == 1:
		if l.Version == 0 {
			return errors.New("it is not a recording: its first line does not say sqbyl_recording")
		}
		if l.Version > version {
			return fmt.Errorf("it has format %d, this program knows up to %d; use a newer sqbyl", l.Version, version)
		}
	case l.Block != "":
		j.blocks[l.Block] = l.Text
	case l.Request != nil && l.Response != nil && l.Hash != "":
		req := *l.Request
		for _, ref := range l.System {
			text, ok := j.blocks[ref.Block]
			if !ok {
				return fmt.Errorf("block %s is not in the file", ref.Block)
			}
			req.System = append(req.System, llm.Block{Text: text, Cache: ref.Cache})
		}
		if got := llm.Hash(req); got != l.Hash {
			return fmt.Errorf("the request was changed: its hash is %.12s, the line says %.12s", got, l.Hash)
		}
		j.keep(Entry{Line: number, Hash: l.Hash, N: l.N, Role: l.Role, Request: req, Response: *l.Response})
	default:
		return errors.New("neither a block nor an answer")
	}
	return nil
}

func (j *Journal) keep(e Entry) {
	j.byKey[key{e.Hash, e.N}] = len(j.entries)
	j.entries = append(j.entries, e)
	j.count[e.Hash] = max(j.count[e.Hash], e.N)
}

// record appends one answer, its blocks first.
func (j *Journal) record(req llm.Request, resp llm.Response) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return fmt.Errorf("recording %s is closed", j.name)
	}
	hash := llm.Hash(req)
	l := line{Hash: hash, N: j.count[hash] + 1, Role: req.Role, Response: &resp}
	for _, b := range req.System {
		sum := sha256.Sum256([]byte(b.Text))
		id := hex.EncodeToString(sum[:8])
		if _, ok := j.blocks[id]; !ok {
			if err := j.append(line{Block: id, Text: b.Text}); err != nil {
				return err
			}
			j.blocks[id] = b.Text
		}
		l.System = append(l.System, blockRef{Block: id, Cache: b.Cache})
	}
	full := req
	req.System = nil
	l.Request = &req
	if err := j.append(l); err != nil {
		return err
	}
	j.keep(Entry{Line: j.lines, Hash: hash, N: l.N, Role: full.Role, Request: full, Response: resp})
	j.served[hash] = l.N
	return nil
}

// append writes one whole line or nothing.
func (j *Journal) append(l line) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return fmt.Errorf("record in %s: %w", j.name, err)
	}
	n, err := j.file.WriteAt(b.Bytes(), j.size)
	if err != nil {
		// Half a line would take the next one with it.
		return errors.Join(fmt.Errorf("record in %s: %w", j.name, err), j.file.Truncate(j.size))
	}
	j.size += int64(n)
	j.lines++
	return nil
}
