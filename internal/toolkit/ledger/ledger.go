// Package ledger writes down every attempt at a paid call, in a database that
// all processes of a project share and that no kill and no full disk leaves
// short of a cost.
package ledger

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sqbyl/sqbyl/driver/sqlite/state"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/llm"
)

//go:embed migrations/*.sql
var files embed.FS

// Ledger is an open usage database. It is safe for concurrent use.
type Ledger struct {
	db *state.DB

	mu sync.Mutex
	// late are completions that could not be written when they were due; the
	// rows they belong to say unknown until then.
	late [][]any
}

// Open opens the ledger at path and makes it when there is none.
func Open(path string) (*Ledger, error) {
	migrations, err := read()
	if err != nil {
		return nil, err
	}
	db, err := state.Open(path, migrations)
	if err != nil {
		return nil, err
	}
	return &Ledger{db: db}, nil
}

func read() ([]string, error) {
	entries, err := files.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		b, err := files.ReadFile("migrations/" + e.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, string(b))
	}
	return out, nil
}

// Close writes what is late and closes the database.
func (l *Ledger) Close() error {
	return errors.Join(l.catchUp(context.Background()), l.db.Close())
}

// Config says whose calls a wrapped client makes.
type Config struct {
	Command  string // as typed: ask, eval, …
	Run      string // "" outside runs
	Provider string
	Prices   meter.Table
	Now      func() time.Time // nil means the real time
}

// Wrap gives a client whose every attempt has a row: with the reservation as
// upper bound before the request goes out, with what it cost before the
// answer is used. What cannot be written down is not sent.
func (l *Ledger) Wrap(inner llm.Client, c Config) llm.Client {
	if c.Now == nil {
		c.Now = time.Now
	}
	return booked{l, inner, c}
}

type booked struct {
	ledger *Ledger
	inner  llm.Client
	Config
}

func (b booked) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	price, err := b.Prices.Price(b.Provider, req.Model, b.Now())
	if err != nil {
		return llm.Response{}, err
	}
	id, err := b.ledger.begin(ctx, b.Config, req, price.Worst(req))
	if err != nil {
		return llm.Response{}, &llm.Error{Kind: llm.KindUnknown, Provider: b.Provider, Model: req.Model, Unsent: true,
			Message: "nothing paid is sent without writing it down: " + err.Error(), Err: err}
	}
	began := b.Now()
	resp, err := b.inner.Complete(ctx, req)
	cost, billing := meter.Charge(b.Prices, b.Provider, price, resp, err, began)
	b.ledger.end(id, b.Now().Sub(began), cost, billing, resp, err)
	return resp, err
}

const insert = `INSERT INTO call (at, command, run, role, provider, model, unit, prompt, bytes, outcome, reserved)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'unknown', ?) RETURNING id`

func (l *Ledger) begin(ctx context.Context, c Config, req llm.Request, worst meter.USD) (id int64, err error) {
	if err := l.catchUp(ctx); err != nil {
		return 0, err
	}
	args := []any{c.Now().UnixMicro(), c.Command, c.Run, req.Role, c.Provider, req.Model, req.Unit, llm.Hash(req), int64(llm.Size(req)), int64(worst)}
	err = l.db.Query(ctx, insert, args, func(r state.Row) error { id = r.ColumnInt64(0); return nil })
	return id, err
}

const update = `UPDATE call SET answered = ?, outcome = ?, error = ?, cost = ?, input = ?, output = ?, write_5m = ?, write_1h = ?,
read = ?, estimated = ?, latency = ?, first_byte = ?, stop = ?, request_id = ? WHERE id = ?`

var outcomes = map[llm.Billing]string{llm.Billed: "settled", llm.NotBilled: "failed", llm.MaybeBilled: "unknown"}

// end completes a row. It is not given up with the call's context: the money
// is spent. What cannot be written now is kept and written later; until then
// the row says unknown, with its reservation.
func (l *Ledger) end(id int64, took time.Duration, cost meter.USD, billing llm.Billing, resp llm.Response, err error) {
	kind, u := "", resp.Usage
	var e *llm.Error
	if errors.As(err, &e) {
		kind, resp.RequestID, resp.Stop, u = e.Kind.String(), e.RequestID, e.Stop, llm.Usage{}
		if e.Usage != nil {
			u = *e.Usage
		}
	} else if err != nil {
		kind = llm.KindUnknown.String()
	}
	if resp.Latency == 0 {
		resp.Latency = took
	}
	l.mu.Lock()
	l.late = append(l.late, []any{resp.Model, outcomes[billing], kind, int64(cost), u.Input, u.Output, u.CacheWrite5m, u.CacheWrite1h, u.CacheRead,
		u.Estimated, resp.Latency.Microseconds(), resp.FirstByte.Microseconds(), string(resp.Stop), resp.RequestID, id})
	l.mu.Unlock()
	// An error here comes again at the next call, or at Close.
	_ = l.catchUp(context.Background())
}

// catchUp writes the completions that are due.
func (l *Ledger) catchUp(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.late) > 0 {
		if _, err := l.db.Exec(ctx, update, l.late[0]...); err != nil {
			return fmt.Errorf("write down what a call cost: %w", err)
		}
		l.late = l.late[1:]
	}
	return nil
}
