// Package semantic is the vocabulary of the semantic layer: what a project
// says about the tables of a database. It holds values only; reading and
// writing files is the toolkit's work, and the same types travel inside a
// release.
package semantic

// Model is everything a project teaches an agent about one database.
type Model struct {
	Tables       []Table   `json:"tables"`
	Examples     []Example `json:"examples,omitempty"`
	Assets       []Asset   `json:"trusted_assets,omitempty"`
	Instructions string    `json:"instructions,omitempty"`
}

// Table describes one table or view.
type Table struct {
	// Name is the table's name as the project writes it: "orders", or
	// "analytics.orders" when the schema is not the database's default.
	Name        string `json:"table"`
	Description string `json:"description,omitempty"`
	// Comment is the database's own comment; the description goes before it.
	Comment string `json:"comment,omitempty"`
	// Synonyms are other words that people use for the table.
	Synonyms []string `json:"synonyms,omitempty"`
	Kind     Kind     `json:"kind,omitempty"`
	// Rows is the number of rows at the last profile, perhaps an estimate.
	Rows       *int64   `json:"rows,omitempty" jsonschema:"minimum=0"`
	PrimaryKey []string `json:"primary_key,omitempty"`
	// NoProfile, written "profile: false", means that no statement of the
	// product's own reads the table.
	NoProfile bool      `json:"-" off:"profile"`
	Columns   []Column  `json:"columns,omitempty"`
	Joins     []Join    `json:"joins,omitempty"`
	Measures  []Measure `json:"measures,omitempty"`
	Filters   []Filter  `json:"filters,omitempty"`
}

// Kind says what a table is; empty means a base table.
type Kind string

// The kinds of table.
const (
	BaseTable        Kind = "table"
	View             Kind = "view"
	MaterializedView Kind = "materialized_view"
	ForeignTable     Kind = "foreign_table"
)

// Values are the kinds there are.
func (Kind) Values() []string {
	return []string{string(BaseTable), string(View), string(MaterializedView), string(ForeignTable)}
}

// Column describes one column.
type Column struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"` // as the engine prints it
	Description string `json:"description,omitempty"`
	// Comment is the database's own comment; the description goes before it.
	Comment string `json:"comment,omitempty"`
	// Synonyms are other words that people use for the column.
	Synonyms   []string `json:"synonyms,omitempty"`
	Nullable   *bool    `json:"nullable,omitempty"`
	PrimaryKey bool     `json:"primary_key,omitempty"`
	Unique     bool     `json:"unique,omitempty"`
	// Enum are the values that the database allows.
	Enum []string `json:"enum,omitempty"`
	// Samples are raw values worth showing to a model; false keeps none.
	Samples   []Scalar `json:"sample_values,omitempty"`
	NoSamples bool     `json:"-" off:"sample_values"`
	// Profile holds statistics; false means that no statement of the product's
	// own reads the column.
	Profile   *Profile `json:"profile,omitempty" yaml:",flow"`
	NoProfile bool     `json:"-" off:"profile"`
}

// Profile holds the column statistics of the free pass. A nil field was not
// measured.
type Profile struct {
	// Nulls is the share of rows without a value, 0 to 1.
	Nulls *float64 `json:"nulls,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Distinct is the number of different values; ~ marks an estimate.
	Distinct *Count  `json:"distinct,omitempty"`
	Min      *Scalar `json:"min,omitempty"`
	Max      *Scalar `json:"max,omitempty"`
	P05      *Scalar `json:"p05,omitempty"`
	P25      *Scalar `json:"p25,omitempty"`
	P50      *Scalar `json:"p50,omitempty"`
	P75      *Scalar `json:"p75,omitempty"`
	P95      *Scalar `json:"p95,omitempty"`
	// Top are the most frequent values, the most frequent first.
	Top []Share `json:"top,omitempty"`
	// Shape is what the values look like: email, uuid, date, phone, code, …
	Shape string `json:"shape,omitempty"`
	// NumericText marks text whose values are numbers.
	NumericText bool `json:"numeric_text,omitempty"`
	// Sampled marks figures that come from a part of the rows.
	Sampled bool `json:"sampled,omitempty"`
}

// Share is a frequent value and the share of rows that have it.
type Share struct {
	Value Scalar  `json:"value"`
	Share float64 `json:"share" jsonschema:"minimum=0,maximum=1"`
}

// Join says how a table is joined to another.
type Join struct {
	// To is the other table, written as its own file writes it.
	To   string   `json:"to"`
	Type JoinType `json:"type,omitempty"`
	// On is the condition, as SQL.
	On string `json:"on"`
	// Confidence is from 0 to 1; a join without it is declared by the database
	// or written by hand.
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"minimum=0,maximum=1"`
}

// JoinType is the cardinality from the table that holds the join to its
// target.
type JoinType string

// The cardinalities.
const (
	OneToOne   JoinType = "one_to_one"
	OneToMany  JoinType = "one_to_many"
	ManyToOne  JoinType = "many_to_one"
	ManyToMany JoinType = "many_to_many"
)

// Values are the cardinalities there are.
func (JoinType) Values() []string {
	return []string{string(OneToOne), string(OneToMany), string(ManyToOne), string(ManyToMany)}
}

// Measure is a named aggregate over a table's columns.
type Measure struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Synonyms    []string `json:"synonyms,omitempty"`
	SQL         string   `json:"sql"`
}

// Filter is a named condition over a table's columns.
type Filter struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Synonyms    []string `json:"synonyms,omitempty"`
	SQL         string   `json:"sql"`
}

// Example is a question with SQL that answers it, shown to the model.
type Example struct {
	Question string   `json:"question"`
	SQL      string   `json:"sql"`
	Tags     []string `json:"tags,omitempty"`
}

// Asset is a trusted query: named, with typed parameters, executed as it is.
type Asset struct {
	Name        string  `json:"name"`
	Description string  `json:"description,omitempty"`
	Params      []Param `json:"params,omitempty"`
	SQL         string  `json:"sql"` // parameters stand as :name
}

// Param is a parameter of an Asset. Type is an SQL type such as "date" or
// "decimal(10,2)".
type Param struct {
	Name string `json:"name"`
	Type string `json:"type"`
}
