//go:build cgo && !no_duckdb

package duckdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	duck "github.com/duckdb/duckdb-go-bindings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
	dialect "github.com/sqbyl/sqbyl/internal/engine/dialect/duckdb"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
)

// grammar asks DuckDB's own parser what a statement holds, and knows the
// views and macros of one database, whose bodies count as the statement's.
type grammar struct {
	objects map[string][]dialect.Object // by lower-case name
	implied []dialect.Object            // macros that any statement may call
}

// Grammar is DuckDB's grammar without a database.
func Grammar() guard.Grammar {
	return &grammar{}
}

func (g *grammar) add(o dialect.Object) {
	name := strings.ToLower(o.Name)
	g.objects[name] = append(g.objects[name], o)
	if o.Macro && implicit[name] {
		g.implied = append(g.implied, o)
	}
}

// Examine reads sql and every view and macro that it names.
func (g *grammar) Examine(ctx context.Context, sql string, p *guard.Policy) (guard.Facts, error) {
	tree, err := parse(ctx, sql)
	if err != nil {
		return guard.Facts{}, err
	}
	w := &walker{ctx: ctx, grammar: g, policy: p, sql: sql, seen: map[string]bool{}}
	if err := w.statement(tree); err != nil {
		return guard.Facts{}, err
	}
	return w.facts(), nil
}

// parsed is the answer of json_serialize_sql.
type parsed struct {
	Error      bool             `json:"error"`
	Type       string           `json:"error_type"`
	Message    string           `json:"error_message"`
	Position   string           `json:"position"`
	Statements []map[string]any `json:"statements"`
}

// pivotWord finds the usual reason why a query cannot be serialized.
var pivotWord = regexp.MustCompile(`(?i)\bpivot\b`)

// parse gives the tree of exactly one query.
func parse(ctx context.Context, sql string) (map[string]any, error) {
	text, err := serialize(ctx, sql)
	if err != nil {
		return nil, err
	}
	var answer parsed
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return nil, fmt.Errorf("read the tree that DuckDB made of a statement: %w", err)
	}
	refusal := &guard.Refusal{Layer: guard.LayerGrammar, Position: position(sql, 0)}
	switch {
	case answer.Error && answer.Type == "parser":
		refusal.Rule, refusal.Message = "syntax", "DuckDB: "+answer.Message
		if at, err := strconv.Atoi(answer.Position); err == nil {
			refusal.Position = position(sql, at)
		}
	case answer.Error && pivotWord.MatchString(sql):
		refusal.Rule, refusal.Message = "pivot_without_in", "PIVOT without a list of values runs as several statements"
		refusal.Repair = "name the values: PIVOT t ON c IN ('a', 'b') USING count(*), or count(*) FILTER (WHERE c = 'a')"
	case answer.Error:
		refusal.Rule, refusal.Message, refusal.Repair = "not_a_query", "this is not a query", "write one SELECT"
	case len(answer.Statements) != 1:
		refusal.Rule, refusal.Repair = "second_statement", "write one SELECT"
		refusal.Message = fmt.Sprintf("DuckDB reads %d statements in this text", len(answer.Statements))
	default:
		return answer.Statements[0], nil
	}
	return nil, refusal
}

func position(sql string, offset int) guard.Position {
	offset = min(max(offset, 0), len(sql))
	line, column := sqltext.Position(sql, offset)
	return guard.Position{Offset: offset, Line: line, Column: column}
}

// idleParsers is how many parsers wait for the next statement; parserMemory
// is what all of them may use.
const (
	idleParsers  = 4
	parserMemory = 256 << 20
)

// private is an engine of its own in memory, which parses and holds nothing.
var private = sync.OnceValues(func() (*parsers, error) {
	i := &instance{users: 1, memory: parserMemory}
	if err := i.start(context.Background(), "", nil); err != nil {
		return nil, fmt.Errorf("start DuckDB's parser: %w", err)
	}
	return &parsers{instance: i, idle: make(chan *parser, idleParsers)}, nil
})

type parsers struct {
	instance *instance
	idle     chan *parser
}

type parser struct {
	conn *conn
	call *statement
}

// serialize hands the text over as a value, never as SQL.
func serialize(ctx context.Context, sql string) (string, error) {
	all, err := private()
	if err != nil {
		return "", err
	}
	p, err := all.take()
	if err != nil {
		return "", err
	}
	var text string
	err = p.conn.call(ctx, func() error {
		duck.ClearBindings(p.call.handle)
		if err := p.call.bind([]db.Value{db.TextValue(sql)}); err != nil {
			return err
		}
		result, err := p.call.run(db.Caps{})
		if err != nil {
			return err
		}
		if len(result.Rows) != 1 {
			return errors.New("DuckDB's parser gave no tree")
		}
		text = result.Rows[0][0].Raw()
		return nil
	})
	if err != nil {
		p.close()
		return "", err
	}
	select {
	case all.idle <- p:
	default:
		p.close()
	}
	return text, nil
}

func (all *parsers) take() (*parser, error) {
	select {
	case p := <-all.idle:
		return p, nil
	default:
	}
	c, err := connect(all.instance.handle, nil)
	if err != nil {
		return nil, err
	}
	call, err := c.prepare(dialect.Serialize.SQL())
	if err != nil {
		c.close(nil)
		return nil, err
	}
	return &parser{conn: c, call: call}, nil
}

func (p *parser) close() {
	if p.conn.left == nil {
		p.call.close()
	}
	p.conn.close(nil)
}
