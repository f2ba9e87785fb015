package workbench

import (
	"context"
	"fmt"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/catalog"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// Location is the database's URL with its password masked.
func (w *Workbench) Location() string {
	url, err := w.url()
	if err != nil {
		return ""
	}
	return driver.Mask(url)
}

func (w *Workbench) url() (string, error) {
	if w.options.Database != "" {
		return w.options.Database, nil
	}
	return w.project.DatabaseURL(w.host.Env)
}

// Database is the opened database.
func (w *Workbench) Database(ctx context.Context) (db.Database, error) {
	if w.database != nil {
		return w.database, nil
	}
	url, err := w.url()
	if err != nil {
		return nil, err
	}
	if w.database, err = driver.Open(ctx, url, driver.Options{}); err != nil {
		return nil, err
	}
	if p := w.project; p != nil && p.Dialect != nil && p.Dialect.Name != w.database.Dialect().Name {
		return nil, fmt.Errorf("the project is written for %s, but its database is %s; change database.dialect in sqbyl.yaml",
			p.Dialect.Title, w.database.Dialect().Title)
	}
	return w.database, nil
}

// Schema is what the database says of itself.
func (w *Workbench) Schema(ctx context.Context) (catalog.Schema, error) {
	if w.schema != nil {
		return *w.schema, nil
	}
	database, err := w.Database(ctx)
	if err != nil {
		return catalog.Schema{}, err
	}
	session, err := database.Session(ctx, db.Answer)
	if err != nil {
		return catalog.Schema{}, err
	}
	defer session.Close()
	schema, err := database.Dialect().Catalog(ctx, session)
	if err != nil {
		return catalog.Schema{}, fmt.Errorf("read the schema: %w", err)
	}
	w.schema = &schema
	return schema, nil
}

// Policy is what the SQL of an answer is held against: the dialect's rules,
// the engine's own grammar where this build has it, what the project allows,
// the tables there are, and a limit one above the cap, which shows whether
// there was more.
func (w *Workbench) Policy(ctx context.Context) (guard.Policy, error) {
	database, err := w.Database(ctx)
	if err != nil {
		return guard.Policy{}, err
	}
	schema, err := w.Schema(ctx)
	if err != nil {
		return guard.Policy{}, err
	}
	policy := database.Dialect().Policy
	policy.Grammar = database.Grammar()
	policy.Limit = w.Caps().Rows + 1
	if w.project != nil {
		policy.Allowed = w.project.Manifest.Database.AllowFunctions
		policy.Schemas = w.project.Manifest.Database.AllowSchemas
	}
	tables := make([]guard.Name, len(schema.Tables))
	views := make(map[guard.Name]string)
	for i, t := range schema.Tables {
		tables[i] = guard.Name{Schema: t.Schema, Table: t.Name}
		if t.Definition != "" && t.Kind != catalog.ForeignTable {
			views[tables[i]] = t.Definition
		}
	}
	policy.Known = guard.NewKnown(tables, guard.CheckViews(ctx, views, &policy))
	return policy, nil
}

// Caps bound an answer.
func (w *Workbench) Caps() db.Caps {
	caps := db.AnswerCaps
	if w.project != nil {
		d := w.project.Manifest.Defaults
		caps = db.Caps{Rows: d.MaxRows, Bytes: int64(d.MaxBytes), Time: time.Duration(d.Timeout)}
	}
	return caps
}

// Rules are the lexical rules of the database's SQL. Before the database is
// opened they are the standard's.
func (w *Workbench) Rules() sqltext.Rules {
	if w.database == nil {
		return sqltext.Rules{}
	}
	return w.database.Dialect().Policy.Rules
}
