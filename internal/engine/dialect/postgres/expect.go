package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

// plan is a node of EXPLAIN's plan.
type plan struct {
	Type     string  `json:"Node Type"`
	Schema   string  `json:"Schema"`
	Relation string  `json:"Relation Name"`
	Rows     float64 `json:"Plan Rows"`
	Cost     float64 `json:"Total Cost"`
	Part     string  `json:"Parent Relationship"`
	Plans    []plan  `json:"Plans"`
}

var tableSize = db.OwnSQL("SELECT reltuples::float8 FROM pg_catalog.pg_class WHERE oid = to_regclass($1)")

// Expect asks the planner, which runs nothing.
func Expect(ctx context.Context, s db.Session, statement guard.Statement) (db.Expected, error) {
	result, err := s.Own(ctx, db.OwnSQL("EXPLAIN (VERBOSE, FORMAT JSON) "+statement.SQL()))
	if err != nil {
		return db.Expected{}, err
	}
	var plans []struct{ Plan plan }
	if len(result.Rows) != 1 {
		return db.Expected{}, fmt.Errorf("EXPLAIN gave %d rows", len(result.Rows))
	}
	if err := json.Unmarshal([]byte(result.Rows[0][0].Raw()), &plans); err != nil || len(plans) != 1 {
		return db.Expected{}, fmt.Errorf("read what EXPLAIN gave: %w", err)
	}
	sizes := map[string]float64{}
	if err := sizesOf(ctx, s, &plans[0].Plan, sizes); err != nil {
		return db.Expected{}, err
	}
	return db.Expected{Rows: plans[0].Plan.scanned(1, sizes), Cost: plans[0].Plan.Cost}, nil
}

// sizesOf collects the rows of the tables that a plan reads whole, as far as
// the server has counted them.
func sizesOf(ctx context.Context, s db.Session, p *plan, sizes map[string]float64) error {
	if name := p.table(); p.Type == "Seq Scan" {
		if _, known := sizes[name]; !known {
			result, err := s.Own(ctx, tableSize, db.TextValue(name))
			if err != nil {
				return err
			}
			if len(result.Rows) == 1 {
				if n, ok := result.Rows[0][0].Number(); ok {
					sizes[name] = n
				}
			}
		}
	}
	for i := range p.Plans {
		if err := sizesOf(ctx, s, &p.Plans[i], sizes); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) table() string { return Quote(p.Schema) + "." + Quote(p.Relation) }

// scanned is the number of rows that a plan reads from tables when it is run
// loops times. A scan tells the rows that pass its filter, a sequential one
// reads the whole table for them; the inner side of a nested loop is run once
// for each row of the outer one, unless its rows are kept.
func (p *plan) scanned(loops float64, sizes map[string]float64) float64 {
	rows := 0.0
	if p.Relation != "" {
		rows = max(p.Rows, 1)
		if p.Type == "Seq Scan" {
			rows = max(rows, sizes[p.table()])
		}
		rows *= loops
	}
	outer := 1.0
	for i := range p.Plans {
		child := &p.Plans[i]
		times := loops
		switch {
		case p.Type == "Materialize" || p.Type == "Hash":
			times = 1
		case child.Part == "Inner" && p.Type == "Nested Loop":
			times = loops * outer
		case child.Part == "Outer":
			outer = max(child.Rows, 1)
		case child.Part == "InitPlan":
			times = 1
		}
		rows += child.scanned(times, sizes)
	}
	return rows
}
