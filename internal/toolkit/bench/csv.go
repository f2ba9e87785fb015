package bench

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// csvColumns are the names a column may have in the header, without case.
var csvColumns = []struct {
	field string
	names []string
}{
	{"id", []string{"id", "question_id"}},
	{"db", []string{"db_id", "db", "db_name", "database"}},
	{"question", []string{"question"}},
	{"sql", []string{"sql", "gold_sql", "gold", "query"}},
	{"evidence", []string{"evidence", "instructions"}},
	{"difficulty", []string{"difficulty"}},
}

// ReadCSV reads questions from a CSV file with a header: question and sql (or
// query) are needed, id, db_id, evidence and difficulty may be there. Ids are
// as in ReadBIRD.
func ReadCSV(r io.Reader, name string) ([]Item, error) {
	in := csv.NewReader(withoutBOM(io.LimitReader(r, maxLayoutBytes)))
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("read %s: no header: %w", name, err)
	}
	at := make(map[string]int)
	for _, c := range csvColumns {
		at[c.field] = slices.IndexFunc(header, func(h string) bool {
			return slices.Contains(c.names, strings.ToLower(strings.TrimSpace(h)))
		})
	}
	for _, needed := range []string{"question", "sql"} {
		if at[needed] < 0 {
			return nil, fmt.Errorf("read %s: no column %q in its header (%s)", name, needed, strings.Join(header, ", "))
		}
	}
	var items []Item
	var ids []string
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return finish(items, ids, name)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		cell := func(field string) string {
			if i := at[field]; i >= 0 {
				return row[i]
			}
			return ""
		}
		it := Item{DB: cell("db"), Evidence: cell("evidence"), Question: Question{Question: cell("question"), Difficulty: cell("difficulty")}}
		it.setGolds(cell("sql"), nil)
		items, ids = append(items, it), append(ids, strings.TrimSpace(cell("id")))
	}
}
