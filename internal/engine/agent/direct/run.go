package direct

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/prompt"
	"github.com/sqbyl/sqbyl/internal/engine/trace"
)

// try checks and runs a draft. What is wrong with the draft is a failure; an
// error means that the database cannot be asked at all.
func (w *work) try(ctx context.Context, d draft) (*failure, error) {
	w.answer.Plan, w.answer.SQL, w.answer.Confidence = d.Plan, d.SQL, d.confidence()

	var statement guard.Statement
	err := w.timed(agent.Guard, trace.SpanGuard, trace.Internal, func(span *trace.Span) (err error) {
		statement, err = guard.Check(ctx, d.SQL, &w.c.Policy)
		w.verdict(span, d, statement, err)
		return err
	})
	if err != nil {
		return w.databaseSaid(ctx, err, statement)
	}

	session, err := w.c.Database.Session(ctx, db.Answer)
	if err != nil {
		var e *db.Error
		if errors.As(err, &e) && e.Kind == db.ErrTimeout {
			return nil, err // no connection was free: the draft is not at fault
		}
		return w.databaseSaid(ctx, err, statement)
	}
	defer session.Close()

	err = w.timed(agent.Prepare, trace.SpanPrepare, trace.Client, func(span *trace.Span) error {
		w.query(span, statement)
		_, err := session.Prepare(ctx, statement)
		return err
	})
	if err != nil {
		return w.databaseSaid(ctx, err, statement)
	}
	if f, err := w.expect(ctx, session, statement); f != nil || err != nil {
		return f, err
	}

	err = w.timed(agent.Execute, trace.SpanExecute, trace.Client, func(span *trace.Span) error {
		w.query(span, statement)
		result, err := session.Query(ctx, statement, w.caps())
		if err != nil {
			return err
		}
		w.answer.Columns, w.answer.Rows, w.answer.Truncated = result.Columns, result.Rows, result.Truncated
		span.Set(trace.Int(trace.DBRowsReturned, int64(len(result.Rows))), trace.String(trace.RowsHash, hashRows(result.Rows)))
		if result.Truncated != db.Whole {
			span.Set(trace.String(trace.RowsTruncated, string(result.Truncated)))
		}
		return nil
	})
	if err != nil {
		return w.databaseSaid(ctx, err, statement)
	}
	w.answer.UsedAssets = agent.Cited(&w.c.Policy.Rules, d.SQL, w.c.Knowledge.Assets)
	w.span.Set(trace.Strings(trace.AssetsClaimed, d.UsedAssets))
	return nil, nil
}

func (w *work) verdict(span *trace.Span, d draft, s guard.Statement, err error) {
	span.Set(trace.Int(trace.Attempt, int64(len(w.answer.Attempts)+1)), trace.String(trace.SQL, d.SQL), trace.String(trace.Plan, d.Plan), trace.Bool(trace.GuardAllowed, err == nil))
	var refusal *guard.Refusal
	if errors.As(err, &refusal) {
		span.Set(trace.String(trace.GuardLayer, string(refusal.Layer)), trace.String(trace.GuardRule, refusal.Rule))
		return
	}
	facts := s.Facts()
	tables := make([]string, len(facts.Tables))
	for i, t := range facts.Tables {
		tables[i] = plainName(t)
	}
	span.Set(trace.Strings(trace.GuardTables, tables), trace.Strings(trace.GuardFunctions, facts.Functions))
}

func (w *work) query(span *trace.Span, s guard.Statement) {
	span.Set(trace.String(trace.DBSystem, w.c.Database.Dialect().Name), trace.String(trace.DBQuery, s.SQL()), trace.Int(trace.Attempt, int64(len(w.answer.Attempts)+1)))
}

// hashRows is over the rows' JSON, so that two runs can be compared without
// keeping the data.
func hashRows(rows [][]db.Value) string {
	h := sha256.New()
	e := json.NewEncoder(h)
	for _, row := range rows {
		// Values of every kind have a JSON form, and a hash takes all bytes.
		_ = e.Encode(row)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// databaseSaid sorts a "no" of guard or database: something the model can
// correct, or something it cannot.
func (w *work) databaseSaid(ctx context.Context, err error, s guard.Statement) (*failure, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var refusal *guard.Refusal
	if errors.As(err, &refusal) {
		message := refusal.Message
		if refusal.Repair != "" {
			message += " (" + refusal.Repair + ")"
		}
		f := &failure{message: message}
		if refusal.Layer == guard.LayerTable {
			f.names = w.tables()
		}
		return f, nil
	}
	var e *db.Error
	if !errors.As(err, &e) {
		return nil, err
	}
	switch e.Kind {
	case db.ErrUnreachable, db.ErrAuth, db.ErrLocked, db.ErrNotADatabase, db.ErrCanceled:
		return nil, err
	}
	near, names := w.nearest(e, s)
	message := e.Message
	if len(near) > 0 {
		message += " (nearest: " + strings.Join(near, ", ") + ")"
	}
	f := &failure{message: message, names: names}
	if e.Kind == db.ErrTimeout {
		w.overtime(f)
	}
	return f, nil
}

// overtime sorts a time-out: the first is worth one more attempt, which gets
// half the time, so that the statements of a question together run for little
// longer than one may.
func (w *work) overtime(f *failure) {
	f.message += "; read fewer rows or tables, filter before joining, and see that every join has its condition"
	if w.slow {
		f.final = true
		f.message += "; defaults.timeout in sqbyl.yaml gives a statement longer"
	}
	w.slow = true
}

// caps are those of the next statement.
func (w *work) caps() db.Caps {
	caps := w.c.Caps
	if w.slow {
		caps.Time /= 2
	}
	return caps
}

// maxNames bounds how many columns or tables are listed to the model.
const maxNames = 60

// nearest finds the real names around a wrong one: a few that resemble it for
// people, and a list for the model.
func (w *work) nearest(e *db.Error, s guard.Statement) (near []string, list string) {
	switch e.Kind {
	case db.ErrUnknownTable:
		near = e.Candidates
		if len(near) == 0 {
			var names []string
			for i := range w.c.Knowledge.Tables {
				names = append(names, w.c.Knowledge.Tables[i].Name)
			}
			near = db.Nearest(e.Name, names, 3)
		}
		return near, w.tables()
	case db.ErrUnknownColumn, db.ErrAmbiguous:
		return w.nearestColumns(e, s)
	}
	return nil, ""
}

// tables lists the tables for the model.
func (w *work) tables() string {
	var quoted []string
	for i := range w.c.Knowledge.Tables {
		quoted = append(quoted, prompt.TableName(w.c.Database.Dialect(), &w.c.Knowledge.Tables[i]))
	}
	return "The tables are: " + enumerate(quoted) + "."
}

func (w *work) nearestColumns(e *db.Error, s guard.Statement) (near []string, list string) {
	var all []string
	var lines []string
	for _, used := range s.Facts().Tables {
		for i := range w.c.Knowledge.Tables {
			t := &w.c.Knowledge.Tables[i]
			if !strings.EqualFold(t.Relation, used.Table) || used.Schema != "" && t.Schema != "" && !strings.EqualFold(t.Schema, used.Schema) {
				continue
			}
			var quoted []string
			for _, c := range t.Columns {
				all = append(all, c.Name)
				quoted = append(quoted, w.c.Database.Dialect().Ident(c.Name))
			}
			lines = append(lines, fmt.Sprintf("The columns of %s are: %s.", prompt.TableName(w.c.Database.Dialect(), t), enumerate(quoted)))
		}
	}
	if e.Kind == db.ErrUnknownColumn {
		name := e.Name[strings.LastIndexByte(e.Name, '.')+1:]
		if near = e.Candidates; len(near) == 0 {
			near = db.Nearest(name, all, 3)
		}
	}
	return near, strings.Join(lines, "\n")
}

func enumerate(names []string) string {
	list := strings.Join(names[:min(len(names), maxNames)], ", ")
	if len(names) > maxNames {
		list += fmt.Sprintf(", … and %d more", len(names)-maxNames)
	}
	return list
}

func plainName(n guard.Name) string {
	if n.Schema != "" {
		return n.Schema + "." + n.Table
	}
	return n.Table
}
