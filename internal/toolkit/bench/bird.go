package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/semantic"
)

// maxLayoutBytes bounds a benchmark file of another layout.
const maxLayoutBytes = 512 << 20

// Item is a question of a benchmark that spans databases.
type Item struct {
	Question
	DB       string // db_id
	Evidence string // what the benchmark tells beside the question
	// Position is the question's place in its file, from 0.
	Position int
	// Asset is the trusted query that gold_asset names.
	Asset *semantic.Asset
}

// Items are a project's questions as items, with the trusted queries that are
// their golds. One that names no asset gets an asset without SQL.
func Items(questions []Question, assets []semantic.Asset) []Item {
	items := make([]Item, len(questions))
	for i, q := range questions {
		items[i].Question, items[i].Position = q, i
		if q.GoldAsset == "" {
			continue
		}
		items[i].Asset = &semantic.Asset{Name: q.GoldAsset}
		for k := range assets {
			if assets[k].Name == q.GoldAsset {
				items[i].Asset = &assets[k]
			}
		}
	}
	return items
}

// Oracle is the text of the first accepted gold, "" without one.
func (it Item) Oracle() string {
	if it.Asset != nil {
		return it.Asset.SQL
	}
	if golds := it.Golds(); len(golds) > 0 {
		return golds[0]
	}
	return ""
}

// birdRecord is a question in BIRD's layout. The gold is SQL in the list and
// sql in some releases of it.
type birdRecord struct {
	ID           json.RawMessage `json:"question_id"`
	DB           string          `json:"db_id"`
	Question     string          `json:"question"`
	Evidence     string          `json:"evidence"`
	SQL          string          `json:"SQL"`
	Difficulty   string          `json:"difficulty"`
	Alternatives []string        `json:"alternatives"`
}

// ReadBIRD reads a question list in BIRD's layout, as one JSON list or a
// record a line. The id of a question is its question_id, or its position
// from 0 on when ids repeat or are missing anywhere. The name stands in
// messages only.
func ReadBIRD(r io.Reader, name string) ([]Item, error) {
	records, err := readRecords[birdRecord](r, name)
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(records))
	ids := make([]string, len(records))
	for i, rec := range records {
		ids[i] = strings.Trim(string(rec.ID), `"`)
		items[i] = Item{DB: rec.DB, Evidence: rec.Evidence, Question: Question{Question: rec.Question, Difficulty: rec.Difficulty}}
		items[i].setGolds(rec.SQL, rec.Alternatives)
	}
	return finish(items, ids, name)
}

// setGolds keeps one gold as gold_sql, several as gold.
func (it *Item) setGolds(sql string, alternatives []string) {
	golds := make([]string, 0, 1+len(alternatives))
	for _, g := range append([]string{sql}, alternatives...) {
		if strings.TrimSpace(g) != "" && !slices.Contains(golds, g) {
			golds = append(golds, g)
		}
	}
	switch len(golds) {
	case 0:
	case 1:
		it.GoldSQL = golds[0]
	default:
		it.Gold = golds
	}
}

// finish gives items their ids and refuses a list that cannot be asked.
func finish(items []Item, ids []string, name string) ([]Item, error) {
	if len(items) == 0 {
		return nil, fmt.Errorf("read %s: it has no question", name)
	}
	var errs []error
	for i, it := range items {
		if strings.TrimSpace(it.Question.Question) == "" {
			errs = append(errs, fmt.Errorf("read %s: question %d has no text", name, i))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	seen := make(map[string]bool, len(ids))
	unique := true
	for _, id := range ids {
		unique = unique && id != "" && id != "null" && !seen[id]
		seen[id] = true
	}
	for i := range items {
		items[i].ID, items[i].Position = strconv.Itoa(i), i
		if unique {
			items[i].ID = ids[i]
		}
	}
	return items, nil
}

// readRecords reads a JSON list or JSON lines.
func readRecords[T any](r io.Reader, name string) ([]T, error) {
	data, err := io.ReadAll(io.LimitReader(withoutBOM(r), maxLayoutBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", name, err)
	case len(data) > maxLayoutBytes:
		return nil, fmt.Errorf("read %s: it is larger than %d MB", name, maxLayoutBytes>>20)
	}
	text := bytes.TrimLeft(data, " \n\r\t")
	var records []T
	switch {
	case len(text) == 0:
		err = errors.New("the file is empty")
	case text[0] == '[':
		err = json.Unmarshal(text, &records)
	default:
		records, err = readJSONLines[T](bufio.NewReader(bytes.NewReader(text)))
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return records, misspelledKeys[T](data, name)
}

func readJSONLines[T any](in *bufio.Reader) ([]T, error) {
	var records []T
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var rec T
			if bad := json.Unmarshal(line, &rec); bad != nil {
				return nil, fmt.Errorf("line %d: %w", n, bad)
			}
			records = append(records, rec)
		}
		switch {
		case errors.Is(err, io.EOF):
			return records, nil
		case err != nil:
			return nil, err
		}
	}
}

// withoutBOM skips the byte order mark some tools write.
func withoutBOM(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	if head, err := in.Peek(3); err == nil && string(head) == "\xef\xbb\xbf" {
		_, _ = in.Discard(3) // what was peeked is there
	}
	return in
}
