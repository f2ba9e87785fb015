package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/driver/sqlite/state"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/llm"
)

// Filter picks rows; an empty field picks all.
type Filter struct {
	Run     string
	Command string
	Role    string
	Model   string
	Since   time.Time
}

func (f Filter) where() (string, []any) {
	terms, args := []string{"1"}, []any{}
	for _, t := range [][2]string{{"run", f.Run}, {"command", f.Command}, {"role", f.Role}, {"model", f.Model}} {
		if t[1] != "" {
			terms, args = append(terms, t[0]+" = ?"), append(args, t[1])
		}
	}
	if !f.Since.IsZero() {
		terms, args = append(terms, "at >= ?"), append(args, f.Since.UnixMicro())
	}
	return " WHERE " + strings.Join(terms, " AND "), args
}

// Row is one attempt.
type Row struct {
	ID        int64
	At        time.Time
	Command   string
	Run       string
	Role      string
	Provider  string
	Model     string // asked
	Answered  string // as it named itself
	Unit      string // the piece of work it belongs to
	Prompt    string // hash of the request
	Outcome   string // settled, failed or unknown
	Error     string // kind, empty for an answer
	Reserved  meter.USD
	Cost      meter.USD
	Usage     llm.Usage
	Latency   time.Duration
	FirstByte time.Duration
	Stop      llm.StopReason
	RequestID string
}

// Rows hands the attempts that f picks to each, the oldest first.
func (l *Ledger) Rows(ctx context.Context, f Filter, each func(Row) error) error {
	where, args := f.where()
	const columns = `SELECT id, at, command, run, role, provider, model, answered, prompt, outcome, error, reserved, cost,
input, output, write_5m, write_1h, read, estimated, latency, first_byte, stop, request_id, unit FROM call`
	return l.db.Query(ctx, columns+where+" ORDER BY id", args, func(r state.Row) error {
		us := func(i int) time.Duration { return time.Duration(r.ColumnInt64(i)) * time.Microsecond }
		return each(Row{
			ID: r.ColumnInt64(0), At: time.UnixMicro(r.ColumnInt64(1)).UTC(), Command: r.ColumnText(2), Run: r.ColumnText(3), Role: r.ColumnText(4),
			Provider: r.ColumnText(5), Model: r.ColumnText(6), Answered: r.ColumnText(7), Prompt: r.ColumnText(8), Outcome: r.ColumnText(9),
			Error: r.ColumnText(10), Reserved: meter.USD(r.ColumnInt64(11)), Cost: meter.USD(r.ColumnInt64(12)),
			Usage: llm.Usage{Input: r.ColumnInt64(13), Output: r.ColumnInt64(14), CacheWrite5m: r.ColumnInt64(15), CacheWrite1h: r.ColumnInt64(16),
				CacheRead: r.ColumnInt64(17), Estimated: r.ColumnInt64(18) != 0},
			Latency: us(19), FirstByte: us(20), Stop: llm.StopReason(r.ColumnText(21)), RequestID: r.ColumnText(22), Unit: r.ColumnText(23),
		})
	})
}

// Sum is what a group of attempts came to.
type Sum struct {
	Group    string
	Attempts int64
	Answers  int64
	Spent    meter.Spent
	Usage    llm.Usage
}

// By groups sums.
type By string

// The groups.
const (
	All       By = "''"
	ByModel   By = "provider || ':' || model"
	ByRole    By = "role"
	ByCommand By = "command"
	ByRun     By = "run"
	ByDay     By = "date(at / 1000000, 'unixepoch')"
)

// Sums adds up the attempts that f picks, per group in the group's order.
func (l *Ledger) Sums(ctx context.Context, f Filter, by By) ([]Sum, error) {
	where, args := f.where()
	var out []Sum
	sql := fmt.Sprintf(`SELECT %s, count(*), sum(error = '' AND outcome = 'settled'), sum(iif(outcome = 'settled', cost, 0)), sum(iif(outcome = 'unknown', reserved, 0)),
sum(input), sum(output), sum(write_5m), sum(write_1h), sum(read), max(estimated) FROM call%s GROUP BY 1 ORDER BY 1`, by, where)
	err := l.db.Query(ctx, sql, args, func(r state.Row) error {
		out = append(out, Sum{Group: r.ColumnText(0), Attempts: r.ColumnInt64(1), Answers: r.ColumnInt64(2),
			Spent: meter.Spent{Settled: meter.USD(r.ColumnInt64(3)), Unknown: meter.USD(r.ColumnInt64(4))},
			Usage: llm.Usage{Input: r.ColumnInt64(5), Output: r.ColumnInt64(6), CacheWrite5m: r.ColumnInt64(7), CacheWrite1h: r.ColumnInt64(8),
				CacheRead: r.ColumnInt64(9), Estimated: r.ColumnInt64(10) != 0}})
		return nil
	})
	return out, err
}

// History is what a model's answers have been like, for estimates.
type History struct {
	Answers       int64
	TokensPerByte float64 // of prompts, mean
	Output        float64 // tokens per answer, mean
	OutputSpread  float64 // standard deviation of it
	CallsPerUnit  float64 // mean, 0 when no unit was named
}

// History gives the newest 200 answers of a model in a role.
func (l *Ledger) History(ctx context.Context, provider, model, role string) (h History, err error) {
	const sql = `SELECT count(*), coalesce(sum(input + write_5m + write_1h + read) * 1.0 / sum(bytes), 0), coalesce(avg(output), 0),
coalesce(sqrt(max(0, avg(output * output) - avg(output) * avg(output))), 0),
coalesce(sum(unit <> '') * 1.0 / nullif(count(DISTINCT nullif(unit, '')), 0), 0)
FROM (SELECT * FROM call WHERE provider = ? AND model = ? AND role = ? AND outcome = 'settled' AND error = '' AND estimated = 0 ORDER BY id DESC LIMIT 200)`
	err = l.db.Query(ctx, sql, []any{provider, model, role}, func(r state.Row) error {
		h = History{Answers: r.ColumnInt64(0), TokensPerByte: r.ColumnFloat(1), Output: r.ColumnFloat(2), OutputSpread: r.ColumnFloat(3),
			CallsPerUnit: r.ColumnFloat(4)}
		return nil
	})
	return h, err
}

// Day is what a model has answered within 24 hours.
type Day struct {
	Answers int64
	Units   int64 // pieces of work with at least one answer
}

// Day counts the answers of a model in the 24 hours before now.
func (l *Ledger) Day(ctx context.Context, provider, model string, now time.Time) (d Day, err error) {
	const sql = `SELECT count(*), count(DISTINCT iif(unit = '', id, unit)) FROM call
WHERE provider = ? AND model = ? AND outcome = 'settled' AND error = '' AND at > ?`
	err = l.db.Query(ctx, sql, []any{provider, model, now.Add(-24 * time.Hour).UnixMicro()}, func(r state.Row) error {
		d = Day{Answers: r.ColumnInt64(0), Units: r.ColumnInt64(1)}
		return nil
	})
	return d, err
}
