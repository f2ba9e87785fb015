package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// blockRows is how many neighbouring rows one look into a table reads.
const blockRows = 64

// sampleSeed is fixed, so that the same data gives the same sample.
const sampleSeed = 42

// Sample reads about rows rows of some columns: blocks of neighbouring row
// numbers at random places. Views, virtual tables and tables without row
// numbers are read from their start.
func Sample(ctx context.Context, s db.Session, t catalog.Table, columns []string, rows int) (*db.Result, error) {
	if len(columns) == 0 || rows <= 0 {
		return &db.Result{}, nil
	}
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = "t." + Quote(c)
	}
	from := "SELECT " + strings.Join(list, ", ") + " FROM "
	start := db.OwnSQL(from + Quote(t.Name) + " AS t LIMIT " + strconv.Itoa(rows))
	rowid := rowidName(t)
	if t.Kind != catalog.BaseTable || rowid == "" {
		return s.Own(ctx, start)
	}
	ends, err := s.Own(ctx, db.OwnSQL(fmt.Sprintf("SELECT (SELECT min(%[1]s) FROM %[2]s), (SELECT max(%[1]s) FROM %[2]s)", rowid, Quote(t.Name))))
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return s.Own(ctx, start)
	}
	low, high := ends.Rows[0][0], ends.Rows[0][1]
	if low.Kind() != db.Int || high.Kind() != db.Int || high.Int()-low.Int() < int64(rows) {
		return s.Own(ctx, start)
	}
	blocks := db.OwnSQL(from + "json_each(?1) AS b CROSS JOIN " + Quote(t.Name) + " AS t ON t." + rowid +
		" BETWEEN b.value AND b.value + " + strconv.Itoa(blockRows-1))
	return s.Own(ctx, blocks, db.TextValue(blockStarts(low.Int(), high.Int(), rows)))
}

// blockStarts picks distinct blocks of the range, as a JSON array in order.
func blockStarts(low, high int64, rows int) string {
	total := (high-low)/blockRows + 1
	want := min(int64(rows+blockRows-1)/blockRows, total)
	random := rand.New(rand.NewPCG(sampleSeed, sampleSeed))
	picked := make(map[int64]bool, want)
	for int64(len(picked)) < want {
		picked[random.Int64N(total)] = true
	}
	starts := make([]int64, 0, want)
	for block := range picked {
		starts = append(starts, low+block*blockRows)
	}
	slices.Sort(starts)
	return numberArray(starts)
}

// rowidName is a name for the row number that no column shadows, "" for none.
func rowidName(t catalog.Table) string {
	for _, name := range []string{"rowid", "_rowid_", "oid"} {
		shadowed := slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) })
		if !shadowed {
			return name
		}
	}
	return ""
}

func numberArray(numbers []int64) string {
	text := make([]string, len(numbers))
	for i, n := range numbers {
		text[i] = strconv.FormatInt(n, 10)
	}
	return "[" + strings.Join(text, ",") + "]"
}
