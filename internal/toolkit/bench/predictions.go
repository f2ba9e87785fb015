package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// birdMark stands between SQL and db_id in a prediction.
const birdMark = "\t----- bird -----\t"

// Predictions are the SQL of a BIRD prediction file.
type Predictions struct {
	byKey map[string]string
}

// ReadPredictions reads {"0": "SQL\t----- bird -----\tdb_id", …}. A value that
// is not text is a prediction without SQL.
func ReadPredictions(r io.Reader, name string) (*Predictions, error) {
	p := &Predictions{byKey: map[string]string{}}
	if err := p.read(json.NewDecoder(withoutBOM(io.LimitReader(r, maxLayoutBytes)))); err != nil {
		return nil, fmt.Errorf("read predictions %s: %w", name, err)
	}
	return p, nil
}

// read takes nothing twice and leaves nothing behind: a prediction that is
// dropped would be another model's number.
func (p *Predictions) read(dec *json.Decoder) error {
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return errors.New("not an object of number and SQL")
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		var value any
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("of question %v: %w", key, err)
		}
		number, _ := key.(string) // a key is
		if _, twice := p.byKey[number]; twice {
			return fmt.Errorf("question %s stands twice", number)
		}
		text, _ := value.(string) // anything else is no SQL
		p.byKey[number], _, _ = strings.Cut(text, birdMark)
	}
	if _, err := dec.Token(); err != nil {
		return fmt.Errorf("the file ends within its object: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows its object")
	}
	return nil
}

// WritePredictions writes a BIRD prediction file, predictions in the order of
// items.
func WritePredictions(w io.Writer, items []Item, predictions []string) error {
	var out bytes.Buffer
	out.WriteString("{")
	for i, it := range items {
		if i > 0 {
			out.WriteString(",")
		}
		text := predictions[i]
		if strings.TrimSpace(text) == "" {
			text = " "
		}
		value, err := json.Marshal(text + birdMark + it.DB)
		if err != nil {
			return fmt.Errorf("write predictions: %w", err)
		}
		fmt.Fprintf(&out, "\n%q: %s", strconv.Itoa(it.Position), value)
	}
	out.WriteString("\n}\n")
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write predictions: %w", err)
	}
	return nil
}

// Of gives the predictions for items, some or all of a file of so many
// questions, "" where there is none. Keys are positions from 0 on; where one
// of them is none, they are ids. unknown are the keys that belong to no
// question, as far as items tell.
func (p *Predictions) Of(items []Item, total int) (sql []string, unknown []string) {
	byPosition := true
	for key := range p.byKey {
		at, err := strconv.Atoi(key)
		byPosition = byPosition && err == nil && at >= 0 && at < total
	}
	index := make(map[string]int, len(items))
	for i, it := range items {
		if byPosition {
			index[strconv.Itoa(it.Position)] = i
		} else {
			index[it.ID] = i
		}
	}
	sql = make([]string, len(items))
	for key, text := range p.byKey {
		if i, ok := index[key]; ok {
			sql[i] = text
		} else if len(items) == total {
			unknown = append(unknown, key)
		}
	}
	slices.Sort(unknown)
	return sql, unknown
}
