// Package joins finds how tables are joined where no key is declared: names
// and types propose pairs, bounded reads of the data say whether they hold,
// and a score weighs both. Proposing and scoring read no database.
package joins

import (
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/semantic"
)

// Side is one end of a join.
type Side struct {
	Schema  string   `json:"schema,omitempty"`
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

// Pair is a reference that names and types allow: rows of From point to the
// row of To whose key they hold.
type Pair struct {
	From, To Side
	// Rule says how the names agree.
	Rule Rule
	// Declared reports that To's columns are a declared key.
	Declared bool
	// Converted reports that the types compare only after a conversion.
	Converted bool

	from, to int // indexes into the schema's tables
}

// Rule is a way in which the name of a column leads to a table.
type Rule string

// The rules, the strongest first. The examples lead to customers.id.
const (
	SpellsKey     Rule = "spells the key"               // customer_id for customers.customer_id
	NamesKey      Rule = "names the key"                // customer_id
	NamesShortKey Rule = "names the key, abbreviated"   // cust_id
	NamesLastKey  Rule = "names the key's last word"    // maker_id for car_makers.id
	Qualified     Rule = "names the key, with a role"   // billing_customer_id
	SameKeyName   Rule = "has the name of a key"        // region_code for areas.region_code
	Hierarchy     Rule = "names a row above"            // parent_id, reports_to
	NamesTable    Rule = "names the table"              // customer
	QualifiedName Rule = "names the table, with a role" // billing_customer
	NamesLast     Rule = "names the table's last word"  // maker for car_makers
	NamesShort    Rule = "names the table, abbreviated" // cust
	Role          Rule = "names a role of people"       // support_rep_id for employees
	SameName      Rule = "has the same name"            // iso3 for countries.iso3
	Composite     Rule = "has all columns of a key"
	SameAttribute Rule = "has the same everyday name" // name, date
	Extension     Rule = "is a key of a table of like name"
)

// Measured is what the data says of a Pair. Its zero value says nothing.
type Measured struct {
	// Checked are the distinct values of From that were looked for, Found
	// those that stand in To. Partial tells that only a part of To was
	// looked at: what was not found may be there.
	Checked int  `json:"checked"`
	Found   int  `json:"found"`
	Partial bool `json:"partial,omitempty"`
	// Trimmed tells that values agree only without the blanks around them.
	Trimmed bool `json:"trimmed,omitempty"`
	// Numbers tells that the values are whole numbers.
	Numbers bool `json:"numbers,omitempty"`
	// Equal tells that both sides hold the same values.
	Equal bool `json:"equal,omitempty"`
	// ToUnique and FromUnique tell whether a value repeats.
	ToUnique   Repeats `json:"to_unique,omitempty"`
	FromUnique Repeats `json:"from_unique,omitempty"`
}

// Repeats says whether the values of a column repeat.
type Repeats string

// What is known of repeated values.
const (
	NotLooked    Repeats = ""
	Repeated     Repeats = "repeats"
	UniqueInPart Repeats = "unique in the rows read"
	UniqueInAll  Repeats = "unique"
)

// Candidate is a join that is worth a look.
type Candidate struct {
	From Side `json:"from"`
	To   Side `json:"to"`
	// Type is the observed cardinality.
	Type semantic.JoinType `json:"type"`
	On   string            `json:"on"`
	// Confidence is from 0 to 1.
	Confidence float64  `json:"confidence"`
	Rule       Rule     `json:"rule"`
	Measured   Measured `json:"measured"`
	// Evidence says in words what speaks for and against it.
	Evidence []string `json:"evidence"`
	// Decide marks one of several targets that are about as likely: somebody
	// has to choose.
	Decide bool `json:"decide,omitempty"`

	table int // From's index in the schema
}

// SureFrom is the confidence from which a candidate is written into a draft:
// of the pairs at or above it, those read and judged were right in more than
// nine of ten cases (docs/joins.md).
const SureFrom = 0.7

// ShowFrom is the confidence below which a candidate is not worth showing.
const ShowFrom = 0.3

// Sure reports a candidate that can be used without a decision.
func (c Candidate) Sure() bool { return c.Confidence >= SureFrom && !c.Decide }

func side(t *catalog.Table, columns ...int) Side {
	s := Side{Schema: t.Schema, Table: t.Name}
	for _, c := range columns {
		s.Columns = append(s.Columns, t.Columns[c].Name)
	}
	return s
}
