package bench

import "io"

// spiderRecord is a question of Spider's dev.json; what it says of the SQL's
// parts is not needed.
type spiderRecord struct {
	DB       string `json:"db_id"`
	Question string `json:"question"`
	Query    string `json:"query"`
}

// ReadSpider reads a question list in the layout of Spider's dev.json. Its
// questions have no ids but their positions.
func ReadSpider(r io.Reader, name string) ([]Item, error) {
	records, err := readRecords[spiderRecord](r, name)
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(records))
	for i, rec := range records {
		items[i] = Item{DB: rec.DB, Question: Question{Question: rec.Question}}
		items[i].setGolds(rec.Query, nil)
	}
	return finish(items, make([]string, len(items)), name)
}
