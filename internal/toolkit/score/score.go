package score

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/asset"
	"github.com/sqbyl/sqbyl/internal/engine/compare"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/orderkey"
	"github.com/sqbyl/sqbyl/internal/engine/sqltext"
	"github.com/sqbyl/sqbyl/semantic"
)

// Case is a question as far as scoring needs it.
type Case struct {
	ID      string
	DB      string   // db_id, "" for the empty database
	Golds   []string // accepted golds; any of them is right
	Options compare.Options
	// Asset, when set, is the one gold: a trusted query, run with Params.
	Asset  *semantic.Asset
	Params map[string]semantic.Scalar
}

// golds are the texts of the accepted golds.
func (c *Case) golds() []string {
	if c.Asset != nil {
		return []string{c.Asset.SQL}
	}
	return c.Golds
}

// Outcome is what came of one prediction.
type Outcome struct {
	compare.Report
	// Gold is the number of the gold the report is about.
	Gold int
	// Facts are what the guard found in the prediction, zero when it did not
	// pass.
	Facts guard.Facts
	// Database is the time the prediction took in it.
	Database time.Duration
	// Rows is the number of rows the prediction returned, -1 when it did not
	// run.
	Rows int

	result  *db.Result // what it returned
	skipped string     // why there was nothing to run
}

// answer is a prediction: SQL, or rows, made from the first gold's. The zero
// answer is no SQL.
type answer struct {
	sql func(g *GoldResult, rules *sqltext.Rules) (text string, ok bool)
	// derived says that sql is the gold's own text, changed, so that it takes
	// the gold's parameters.
	derived bool
	rows    func(g *GoldResult) *db.Result
}

// Runner runs golds and predictions.
type Runner struct {
	// Open gives the database of an id.
	Open func(ctx context.Context, id string) (db.Database, error)
	// Caps bound one result; zero means db.ScoreCaps.
	Caps db.Caps
	// AsOf, when set, is now in gold and prediction.
	AsOf time.Time
	// Functions and Schemas are what the project allows beside the dialect's
	// own, as in guard.Policy.
	Functions, Schemas []string
	// Workers is the number of cases run at once; 0 means one per processor.
	Workers int
	// Done, when set, is told of every case that is done. It is called from
	// several goroutines.
	Done func()
}

// GoldResult is what one accepted gold returned.
type GoldResult struct {
	SQL     string
	Ordered bool
	Result  *db.Result // nil when it did not run
	Err     error
}

// Score runs the golds of a case once and compares every prediction with
// them, all in one session, so that they see one state of the data.
func (r *Runner) Score(ctx context.Context, c Case, predictions ...string) []Outcome {
	answers := make([]answer, len(predictions))
	for i, sql := range predictions {
		answers[i].sql = func(*GoldResult, *sqltext.Rules) (string, bool) { return sql, true }
	}
	out := r.score(ctx, c, answers, nil)
	for i := range out {
		out[i].result = nil
	}
	return out
}

func (r *Runner) score(ctx context.Context, c Case, answers []answer, seen func([]GoldResult)) []Outcome {
	out := make([]Outcome, len(answers))
	fail := func(v compare.Verdict, reason string) []Outcome {
		for i := range out {
			out[i] = Outcome{Report: compare.Failed(v, reason), Rows: -1}
		}
		return out
	}
	if err := c.Options.Check(); err != nil {
		return fail(compare.NotRun, err.Error())
	}
	switch golds := c.golds(); {
	case len(golds) == 0:
		return fail(compare.NotRun, "the question has no gold")
	case c.Asset != nil && c.Asset.SQL == "":
		return fail(compare.GoldBroken, "the project has no trusted query "+c.Asset.Name)
	}
	database, err := r.Open(ctx, c.DB)
	if err != nil {
		return fail(compare.NotRun, err.Error())
	}
	s, err := database.Session(ctx, db.Score)
	if err != nil {
		return fail(compare.NotRun, err.Error())
	}
	b := r.stand(database, s)
	b.bound = &c
	golds := b.golds(ctx, c)
	if seen != nil {
		seen(golds)
	}
	for i := range answers {
		out[i] = b.answer(ctx, c, golds, &answers[i])
	}
	if err := s.Close(); err != nil {
		return fail(compare.NotRun, "end the session: "+err.Error())
	}
	return out
}

// stand is one session with what is needed to run statements in it.
type stand struct {
	session db.Session
	policy  guard.Policy
	caps    db.Caps
	bound   *Case // its parameters go to its own gold
}

func (r *Runner) stand(database db.Database, s db.Session) *stand {
	b := &stand{session: s, policy: database.Dialect().Policy, caps: r.Caps.Or(db.ScoreCaps)}
	b.policy.Grammar = database.Grammar()
	b.policy.Allowed, b.policy.Schemas = r.Functions, r.Schemas
	if !r.AsOf.IsZero() {
		b.policy.AsOf = &guard.AsOf{Time: r.AsOf, Literal: database.Dialect().Now}
	}
	return b
}

// check takes SQL through the guard. The gold's own text gets its parameters.
func (b *stand) check(ctx context.Context, sql string, own bool) (guard.Statement, []db.Value, error) {
	if c := b.bound; c.Asset != nil && (own || sql == c.Asset.SQL) {
		a := *c.Asset
		a.SQL = sql
		return asset.Bind(ctx, a, c.Params, &b.policy)
	}
	st, err := guard.Check(ctx, sql, &b.policy)
	return st, nil, err
}

// run takes SQL through the guard and the database.
func (b *stand) run(ctx context.Context, sql string, own bool) (*db.Result, guard.Statement, error) {
	st, args, err := b.check(ctx, sql, own)
	if err != nil {
		return nil, st, err
	}
	res, err := b.session.Query(ctx, st, b.caps, args...)
	if err != nil {
		return nil, st, err
	}
	if res.Truncated != db.Whole {
		return nil, st, b.tooBig(res.Truncated)
	}
	return res, st, nil
}

func (b *stand) tooBig(by db.Truncation) error {
	what := fmt.Sprintf("more than %d rows", b.caps.Rows)
	if by == db.ByBytes {
		what = fmt.Sprintf("more than %d MB", b.caps.Bytes>>20)
	}
	return &db.Error{Kind: db.ErrTooBig, Message: "the result has " + what + ", and a part of it says nothing", Offset: -1}
}

func (b *stand) golds(ctx context.Context, c Case) []GoldResult {
	texts := c.golds()
	golds := make([]GoldResult, len(texts))
	for i, sql := range texts {
		g := &golds[i]
		g.SQL, g.Ordered = sql, orderkey.Ordered(sql, &b.policy.Rules)
		g.Result, _, g.Err = b.run(ctx, sql, true)
	}
	return golds
}

// answer runs one answer and compares it.
func (b *stand) answer(ctx context.Context, c Case, golds []GoldResult, a *answer) Outcome {
	if out, none := unusable(golds); none {
		return out
	}
	if a.rows != nil {
		return b.judge(ctx, c, golds, a.rows(&golds[0]))
	}
	sql := ""
	if a.sql != nil {
		var ok bool
		if sql, ok = a.sql(&golds[0], &b.policy.Rules); !ok {
			return Outcome{Rows: -1, skipped: "the gold has nothing to change"}
		}
	}
	if nothing(sql, &b.policy.Rules) {
		return Outcome{Report: compare.Failed(compare.NoSQL, "there is no SQL"), Rows: -1}
	}
	started := time.Now()
	res, st, err := b.run(ctx, sql, a.derived)
	took := time.Since(started)
	out := Outcome{Rows: -1}
	if err != nil {
		out.Report = compare.Failed(failure(err), err.Error())
	} else {
		out = b.judge(ctx, c, golds, res)
	}
	out.Facts, out.Database = st.Facts(), took
	return out
}

// judge compares a result with every gold that ran and reports the best of the
// comparisons.
func (b *stand) judge(ctx context.Context, c Case, golds []GoldResult, res *db.Result) Outcome {
	out := Outcome{Rows: len(res.Rows), result: res, Gold: -1}
	var rules compare.Rules
	for i := range golds {
		if golds[i].Result == nil {
			continue
		}
		report := compare.Results(compare.Gold{
			Result: golds[i].Result, Ordered: golds[i].Ordered,
			Key: func() *compare.Key { return b.key(ctx, &golds[i]) },
		}, res, c.Options)
		rules = either(rules, report.Rules)
		if out.Gold < 0 || better(report, out.Report) {
			out.Report, out.Gold = report, i
		}
	}
	out.Rules = rules
	return out
}

// unusable reports a case none of whose golds returned a result.
func unusable(golds []GoldResult) (Outcome, bool) {
	verdict, reason := compare.GoldBroken, ""
	for _, g := range golds {
		if g.Result != nil {
			return Outcome{}, false
		}
		if failure(g.Err) == compare.NotRun || tooSlow(g.Err) {
			verdict, reason = compare.NotRun, "gold: "+g.Err.Error()
		} else if reason == "" {
			reason = g.Err.Error()
		}
	}
	return Outcome{Report: compare.Failed(verdict, reason), Rows: -1}, true
}

// tooSlow reports a statement that its time limit broke off. An answer's own
// did not run; of a gold it says nothing, since the machine was slow perhaps.
func tooSlow(err error) bool {
	var e *db.Error
	return errors.As(err, &e) && e.Kind == db.ErrTimeout
}

// failure sorts an error: what the answer did, what the guard did, and what
// nobody did.
func failure(err error) compare.Verdict {
	var refusal *guard.Refusal
	if errors.As(err, &refusal) {
		return compare.Refused
	}
	var e *db.Error
	if errors.As(err, &e) {
		switch e.Kind {
		case db.ErrCanceled, db.ErrUnreachable, db.ErrAuth, db.ErrNotADatabase, db.ErrLocked, db.ErrTooBig:
			return compare.NotRun
		default:
			return compare.DidNotRun
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return compare.NotRun
	}
	return compare.DidNotRun
}

// nothing reports text without a token: blank, comments, semicolons.
func nothing(sql string, rules *sqltext.Rules) bool {
	if strings.TrimSpace(sql) == "" {
		return true
	}
	for _, t := range sqltext.Scan(sql, rules).Tokens {
		if t.Kind != sqltext.Semicolon {
			return false
		}
	}
	return true
}

// better reports whether a tells of a better match than b.
func better(a, b compare.Report) bool {
	if a.Headline != b.Headline {
		return a.Headline
	}
	return a.Verdict.Rank() < b.Verdict.Rank()
}

func either(a, b compare.Rules) compare.Rules {
	return compare.Rules{
		Bird: a.Bird || b.Bird, Strict: a.Strict || b.Strict, Ordered: a.Ordered || b.Ordered,
		Tolerant: a.Tolerant || b.Tolerant, Superset: a.Superset || b.Superset,
	}
}

// key runs a gold once more with its order key; nil where that cannot be
// written or run, so that order counts row by row.
func (b *stand) key(ctx context.Context, g *GoldResult) *compare.Key {
	q, err := orderkey.New(g.SQL, &b.policy.Rules, g.Result)
	if err != nil {
		return nil
	}
	key, _, err := q.Ask(func(sql string) (*db.Result, error) {
		st, args, err := b.check(ctx, sql, true)
		if err != nil {
			return nil, err
		}
		return b.session.Query(ctx, st, b.caps, args...)
	})
	if err != nil {
		return nil
	}
	return key
}
