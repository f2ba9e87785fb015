//go:build cgo && !no_duckdb

package shopduckdb

import (
	"context"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/sqbyl/sqbyl/examples/shop/rows"
)

//go:embed schema.sql
var ddl string

// reference are the tables of schema ref; the others are in sales.
var reference = map[string]bool{"group": true, "categories": true, "products": true, "fx_rates": true}

// moments are the columns that are times and days, by table and position.
var moments = map[string][]int{
	"products": {7}, "customers": {6, 7}, "orders": {6, 7}, "refunds": {4}, "reviews": {5}, "fx_rates": {0},
}

// Build writes the database to path, which must not exist, through DuckDB's
// appender. Its content is the same every time.
func Build(ctx context.Context, path string) (err error) {
	if _, statErr := os.Stat(path); statErr == nil {
		return fmt.Errorf("build the sample database: %s exists", path)
	}
	connector, err := duckdb.NewConnector(path, nil)
	if err != nil {
		return fmt.Errorf("build the sample database: %w", err)
	}
	defer func() { err = errors.Join(err, connector.Close()) }()
	conn, err := connector.Connect(ctx)
	if err != nil {
		return fmt.Errorf("build the sample database: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.(driver.ExecerContext).ExecContext(ctx, ddl, nil); err != nil {
		return fmt.Errorf("create the sample's tables: %w", err)
	}
	for _, table := range rows.Make() {
		if err := appendRows(conn, table); err != nil {
			return fmt.Errorf("fill the sample's table %s: %w", table.Name, err)
		}
	}
	_, err = conn.(driver.ExecerContext).ExecContext(ctx, "CHECKPOINT", nil)
	return err
}
func appendRows(conn driver.Conn, table rows.Table) (err error) {
	schema := "sales"
	if reference[table.Name] {
		schema = "ref"
	}
	appender, err := duckdb.NewAppenderFromConn(conn, schema, table.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, appender.Close()) }()
	for _, row := range table.Rows {
		cells := make([]driver.Value, len(row))
		for i, cell := range row {
			cells[i] = cell
		}
		for _, i := range moments[table.Name] {
			if cells[i], err = moment(row[i]); err != nil {
				return err
			}
		}
		for i, cell := range cells {
			// is_active and is_test are 32-bit columns.
			if (table.Name == "customers" && i == 5) || (table.Name == "orders" && i == 10) {
				cells[i] = int32(cell.(int64))
			}
		}
		if err := appender.AppendRow(cells...); err != nil {
			return err
		}
	}
	return nil
}

func moment(cell any) (driver.Value, error) {
	text, ok := cell.(string)
	if !ok {
		return nil, nil
	}
	layout := "2006-01-02 15:04:05"
	if len(text) == len("2006-01-02") {
		layout = "2006-01-02"
	}
	return time.Parse(layout, text)
}
