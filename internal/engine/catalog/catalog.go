// Package catalog is what a database says of itself: tables, columns, keys.
package catalog

// Schema is the part of a database that the connected role may read.
type Schema struct {
	Tables []Table `json:"tables"`
	// DefaultSchema is the schema of unqualified names ("" where the engine
	// has none).
	DefaultSchema string `json:"default_schema,omitempty"`
	// Unreadable names the tables that exist but may not be read, and views on
	// what is gone.
	Unreadable []string `json:"unreadable,omitempty"`
}

// Table is one table or view.
type Table struct {
	Schema      string       `json:"schema,omitempty"`
	Name        string       `json:"name"`
	Kind        Kind         `json:"kind"`
	Comment     string       `json:"comment,omitempty"`
	Rows        int64        `json:"rows"` // -1: unknown
	RowsExact   bool         `json:"rows_exact,omitempty"`
	Columns     []Column     `json:"columns"`
	PrimaryKey  []string     `json:"primary_key,omitempty"`
	Unique      [][]string   `json:"unique,omitempty"`
	ForeignKeys []ForeignKey `json:"foreign_keys,omitempty"`
	Definition  string       `json:"definition,omitempty"` // a view's text
	RowSecurity bool         `json:"row_security,omitempty"`
	Partitioned string       `json:"partitioned,omitempty"` // the partition key's text
}

// Kind says what a Table is.
type Kind string

// The kinds of table.
const (
	BaseTable        Kind = "table"
	View             Kind = "view"
	MaterializedView Kind = "materialized_view"
	ForeignTable     Kind = "foreign_table"
)

// Column is one column.
type Column struct {
	Name      string   `json:"name"`
	Type      string   `json:"type"` // as the engine prints it
	Nullable  bool     `json:"nullable"`
	Default   string   `json:"default,omitempty"`
	Generated bool     `json:"generated,omitempty"`
	Identity  bool     `json:"identity,omitempty"`
	Enum      []string `json:"enum,omitempty"`   // labels of an enum type
	Checks    []string `json:"checks,omitempty"` // values a CHECK allows
	Comment   string   `json:"comment,omitempty"`
}

// ForeignKey is a declared reference; the column lists pair up.
type ForeignKey struct {
	Columns    []string `json:"columns"`
	RefSchema  string   `json:"ref_schema,omitempty"`
	RefTable   string   `json:"ref_table"`
	RefColumns []string `json:"ref_columns"`
}
