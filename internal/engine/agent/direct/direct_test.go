package direct_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/driver"
	_ "github.com/sqbyl/sqbyl/driver/sqlite"
	"github.com/sqbyl/sqbyl/internal/engine/agent"
	"github.com/sqbyl/sqbyl/internal/engine/agent/direct"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
	"github.com/sqbyl/sqbyl/internal/engine/meter"
	"github.com/sqbyl/sqbyl/internal/engine/selection"
	"github.com/sqbyl/sqbyl/internal/engine/trace"
	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
	"github.com/sqbyl/sqbyl/llm"
	"github.com/sqbyl/sqbyl/llm/anthropic"
	"github.com/sqbyl/sqbyl/semantic"
)

const shopSQL = `
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, ordered_at DATE, amount_cents INTEGER, "odd ""name" TEXT);
INSERT INTO customers VALUES (1, 'Ada', 'Denmark'), (2, 'Björn', 'Sweden'), (3, '名', NULL);
INSERT INTO orders VALUES (1, 1, '2026-11-02', 1250, 'x'), (2, 1, '2026-11-29', 300, NULL), (3, 2, '2026-10-01', 99999, 'y');
`

// makeDB writes a SQLite file.
func makeDB(t testing.TB, sql string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	conn, err := sqlite3.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Exec(sql); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) db.Database {
	t.Helper()
	database, err := driver.Open(t.Context(), "sqlite:"+path, driver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { database.Close() })
	return database
}

func config(t testing.TB, client llm.Client, model semantic.Model) direct.Config {
	t.Helper()
	database := open(t, makeDB(t, shopSQL))
	session, err := database.Session(t.Context(), db.Answer)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	schema, err := database.Dialect().Catalog(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	return direct.Config{
		Client: client, Provider: "anthropic", Model: "claude-opus-4-8", Database: database, Policy: database.Dialect().Policy,
		Knowledge: selection.Combine(schema, model), Repairs: 2, Cache: llm.CacheShort,
		Now:   func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
		Price: func(resp llm.Response, err error) (meter.USD, bool) { return meter.USD(resp.Usage.Total()), true },
	}
}

func client(fake *fakemodel.Server) llm.Client {
	return anthropic.New(anthropic.Config{Key: "k", BaseURL: fake.URL()})
}

// listener keeps what is sent to a model.
type listener struct {
	inner    llm.Client
	requests []llm.Request
}

func (l *listener) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	req.Messages = append([]llm.Message(nil), req.Messages...)
	l.requests = append(l.requests, req)
	return l.inner.Complete(ctx, req)
}

// draft is a whole structured answer with this SQL.
func draft(sql string) fakemodel.Reply {
	return fakemodel.JSON(map[string]any{"plan": "count them", "answerable": true, "sql": sql, "missing": "", "nearest": []string{}, "used_assets": []string{}, "confidence": "high"})
}

func ask(t *testing.T, c direct.Config, question string) (agent.Answer, error) {
	t.Helper()
	a, err := direct.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a.Ask(t.Context(), agent.Question{Text: question})
}

func TestAWrongColumnIsRepairedWithTheNearestNames(t *testing.T) {
	fake := fakemodel.New(t)
	fake.Script(
		draft(`SELECT c.country, SUM(o.amount) / 100.0 AS total FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.country ORDER BY total DESC, 1`),
		draft(`SELECT c.country, SUM(o.amount_cents) / 100.0 AS total FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.country ORDER BY total DESC, 1`),
	)
	answer, err := ask(t, config(t, client(fake), semantic.Model{}), "Revenue per country?")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`"trace_id": "[0-9a-f]{32}"`).ReplaceAllString(string(raw), `"trace_id": "…"`)
	text = regexp.MustCompile(`(?s)"latency_ms": \{.*?\}`).ReplaceAllStringFunc(text, func(s string) string {
		return regexp.MustCompile(`: [0-9.]+`).ReplaceAllString(s, ": 1")
	})
	golden.Check(t, "repaired.json", text+"\n")

	calls := fake.Calls()
	if len(calls) != 2 || calls[0].System != calls[1].System {
		t.Fatalf("%d calls, or the prefix changed", len(calls))
	}
	if last := calls[1].Last(); !strings.Contains(last, "amount_cents") || !strings.Contains(last, `"odd ""name"`) {
		t.Errorf("the model was not told the names, quoted: %s", last)
	}
	if !strings.Contains(calls[0].Last(), "Today is 2026-11-30") || strings.Contains(calls[0].System, "Revenue per country") {
		t.Error("question and prefix are mixed")
	}
}

// A model can go wrong in these ways; each is an attempt with an error, and
// the good answer after it still counts.
func TestEveryBadAnswerIsAnAttemptThatIsRepaired(t *testing.T) {
	good := draft("SELECT COUNT(*) AS n FROM orders")
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		want  string // in the attempt's error
		sql   string // in the attempt
	}{
		"no SQL":                  {draft(""), "no SQL", ""},
		"empty":                   {fakemodel.Text(""), "empty", ""},
		"prose":                   {fakemodel.Text("There are three orders."), "no JSON", ""},
		"other JSON":              {fakemodel.Text(`{"answer": 3}`), "sql", ""},
		"broken JSON":             {fakemodel.Text(`{"plan": "x", "sql": "SELECT 1`), "JSON", ""},
		"two statements":          {draft("SELECT 1; SELECT 2"), "statement", "SELECT 1; SELECT 2"},
		"a write":                 {draft("DELETE FROM orders"), "", "DELETE FROM orders"},
		"a write in a CTE":        {draft("WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x"), "", "WITH"},
		"unknown table":           {draft("SELECT * FROM order_s"), "orders", "order_s"},
		"unknown column":          {draft("SELECT amount FROM orders"), "nearest: orders.amount_cents", "amount"},
		"a column in quotes":      {draft(`SELECT "amount" FROM orders`), "amount_cents", `"amount"`},
		"unknown function":        {draft("SELECT MEDIAN(amount_cents) FROM orders"), "median", "MEDIAN"},
		"syntax":                  {draft("SELECT FROM WHERE"), "", "SELECT FROM WHERE"},
		"truncated":               {fakemodel.Truncated(`{"plan":"`), "cut at 4096 tokens", ""},
		"malformed wire":          {fakemodel.Malformed(), "", ""},
		"fails when it is run":    {draft("SELECT abs(-9223372036854775807 - 1)"), "overflow", "abs"},
		"control characters":      {draft("SELECT \x00 1"), "", "SELECT"},
		"a very long statement":   {draft("SELECT " + strings.Repeat("1+", 200_000) + "1"), "", "SELECT"},
		"unanswerable as a field": {fakemodel.Text(`{"plan":"p","answerable":"perhaps","sql":5}`), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			fake := fakemodel.New(t)
			fake.Script(c.reply, good)
			sent := &listener{inner: client(fake)}
			answer, err := ask(t, config(t, sent, semantic.Model{}), "How many orders?")
			if err != nil {
				t.Fatal(err)
			}
			if !answer.Answered || len(answer.Attempts) != 2 || len(answer.Rows) != 1 || answer.Rows[0][0].Int() != 3 {
				t.Fatalf("not repaired: %+v", answer)
			}
			first := answer.Attempts[0]
			if first.Error == "" || !strings.Contains(first.Error, c.want) || !strings.Contains(first.SQL, c.sql) {
				t.Errorf("attempt: %.300q %.300q", first.SQL, first.Error)
			}
			for i, turn := range sent.requests[1].Messages {
				if strings.TrimSpace(turn.Text) == "" || turn.Role != []llm.Role{llm.User, llm.Assistant}[i%2] {
					t.Errorf("turn %d: %+v", i, turn)
				}
			}
			room := direct.DefaultMaxTokens
			if name == "truncated" {
				room *= 2
			}
			if got := sent.requests[1].MaxTokens; got != room {
				t.Errorf("%d tokens of room, want %d", got, room)
			}
			if last := answer.Attempts[1]; last.Error != "" || last.SQL != "SELECT COUNT(*) AS n FROM orders" {
				t.Errorf("%+v", last)
			}
		})
	}
}

// A broken connection is no answer to correct: who retries is outside, and
// does not retry what was retried.
func TestABrokenConnectionIsNotAskedAgain(t *testing.T) {
	fake := fakemodel.New(t)
	fake.Script(fakemodel.Cut(`{"plan":"count them","answerable":true,"sql":"SELECT 1"}`, 3), draft("SELECT 1"))
	if _, err := ask(t, config(t, client(fake), semantic.Model{}), "How many orders?"); llm.KindOf(err) != llm.KindCut {
		t.Errorf("got %v", err)
	}
	if n := len(fake.Calls()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestAWrongTableIsAnsweredWithTheTablesThereAre(t *testing.T) {
	for name, known := range map[string]*guard.Known{
		"the engine's word": nil,
		"the guard's word":  guard.NewKnown([]guard.Name{{Table: "orders"}, {Table: "customers"}}, nil),
	} {
		fake := fakemodel.New(t)
		fake.Script(draft("SELECT * FROM order_s"), draft("SELECT 1 FROM orders"))
		c := config(t, client(fake), semantic.Model{})
		c.Policy.Known = known
		answer, err := ask(t, c, "q")
		if err != nil || !answer.Answered || !strings.Contains(answer.Attempts[0].Error, "orders") {
			t.Errorf("%s: %+v %v", name, answer, err)
		}
		if last := fake.Calls()[1].Last(); !strings.Contains(last, "The tables are: customers, orders.") {
			t.Errorf("%s: %s", name, last)
		}
	}
}

func TestAFencedAnswerIsTakenAsItIs(t *testing.T) {
	for name, reply := range map[string]fakemodel.Reply{
		"around":  fakemodel.Text("Here:\n```json\n{\"plan\":\"p\",\"answerable\":true,\"sql\":\"SELECT 7\",\"nearest\":[],\"used_assets\":[]}\n```"),
		"inside":  draft("```sql\nSELECT 7\n```"),
		"one row": draft("SELECT 7;"),
		"wrapped": fakemodel.Text(`{"answer":{"plan":"p","answerable":true,"sql":"SELECT 7"}}`),
	} {
		fake := fakemodel.New(t)
		fake.Script(reply)
		answer, err := ask(t, config(t, client(fake), semantic.Model{}), "Seven?")
		if err != nil || !answer.Answered || answer.Rows[0][0].Int() != 7 || len(answer.Attempts) != 1 {
			t.Errorf("%s: %+v %v", name, answer, err)
		}
	}
}

func TestCannotBeAnsweredIsAnAnswer(t *testing.T) {
	for name, reply := range map[string]fakemodel.Reply{
		"whole":       fakemodel.JSON(map[string]any{"plan": "", "answerable": false, "sql": "", "missing": "no table records suppliers", "nearest": []string{"orders.ordered_at (when it was ordered)"}, "used_assets": []string{}, "confidence": "high"}),
		"without SQL": fakemodel.Text(`{"answerable":false,"missing":"no table records suppliers","nearest":["orders.ordered_at (when it was ordered)"]}`),
		"with SQL":    fakemodel.Text(`{"answerable":false,"sql":"SELECT 1","missing":"no table records suppliers","nearest":["orders.ordered_at (when it was ordered)"]}`),
	} {
		t.Run(name, func(t *testing.T) {
			fake := fakemodel.New(t)
			fake.Script(reply)
			answer, err := ask(t, config(t, client(fake), semantic.Model{}), "Which supplier is late?")
			if err != nil {
				t.Fatal(err)
			}
			if answer.Answered || answer.Reason != "no table records suppliers" || len(answer.Nearest) != 1 || len(answer.Attempts) != 0 || answer.Rows != nil {
				t.Errorf("%+v", answer)
			}
			if len(fake.Calls()) != 1 || answer.Usage.Output == 0 || *answer.Cost == 0 {
				t.Errorf("%d calls, usage %+v", len(fake.Calls()), answer.Usage)
			}
		})
	}
}

func TestARefusalEndsAtOnce(t *testing.T) {
	fake := fakemodel.New(t)
	fake.Script(fakemodel.Refusal())
	answer, err := ask(t, config(t, client(fake), semantic.Model{}), "How many orders?")
	if err != nil || answer.Answered || len(answer.Attempts) != 1 || !strings.Contains(answer.Reason, "declined") || len(fake.Calls()) != 1 {
		t.Errorf("%+v %v", answer, err)
	}
}

func TestAttemptsEnd(t *testing.T) {
	fake := fakemodel.New(t)
	fake.Answer(func(fakemodel.Call) fakemodel.Reply { return draft("SELECT nope FROM orders") })
	answer, err := ask(t, config(t, client(fake), semantic.Model{}), "How many orders?")
	if err != nil || answer.Answered || len(answer.Attempts) != 3 || len(fake.Calls()) != 3 || answer.Calls != 3 {
		t.Fatalf("%+v %v", answer, err)
	}
	if !strings.Contains(answer.Reason, "none of 3 attempts worked") || answer.SQL != "SELECT nope FROM orders" {
		t.Errorf("%q %q", answer.Reason, answer.SQL)
	}
}

func TestASecondTimeOutIsTheLast(t *testing.T) {
	fake := fakemodel.New(t)
	endless := "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"
	fake.Answer(func(fakemodel.Call) fakemodel.Reply { return draft(endless) })
	c := config(t, client(fake), semantic.Model{})
	c.Repairs, c.Caps.Time = 5, 60*time.Millisecond
	listen := &listener{inner: c.Client}
	c.Client = listen
	answer, err := ask(t, c, "q")
	if err != nil || answer.Answered || len(answer.Attempts) != 2 || len(listen.requests) != 2 || !strings.Contains(answer.Reason, "defaults.timeout") {
		t.Fatalf("%+v %v", answer, err)
	}
	if m := listen.requests[1].Messages; !strings.Contains(m[len(m)-1].Text, "filter before joining") {
		t.Errorf("%q", m[len(m)-1].Text)
	}

	fake = fakemodel.New(t)
	fake.Script(draft(endless), draft("SELECT COUNT(*) FROM orders"))
	c.Client = client(fake)
	if answer, err = ask(t, c, "q"); err != nil || !answer.Answered || len(answer.Attempts) != 2 {
		t.Errorf("%+v %v", answer, err)
	}
}

func TestWhatWasPaidForSurvivesAnError(t *testing.T) {
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		kind  llm.Kind
	}{
		"key refused":  {fakemodel.KeyRefused(), llm.KindKey},
		"rate limited": {fakemodel.RateLimited(time.Second), llm.KindRateLimited},
		"daily quota":  {fakemodel.DailyQuota(), llm.KindQuota},
		"overloaded":   {fakemodel.Overloaded(), llm.KindOverloaded},
		"too long":     {fakemodel.TooLong(), llm.KindTooLong},
		"server":       {fakemodel.Reply{Status: http.StatusInternalServerError, Body: "oops"}, llm.KindServer},
	} {
		t.Run(name, func(t *testing.T) {
			fake := fakemodel.New(t)
			fake.Script(draft("SELECT nope FROM orders"), c.reply)
			answer, err := ask(t, config(t, client(fake), semantic.Model{}), "How many orders?")
			if llm.KindOf(err) != c.kind {
				t.Fatalf("%v", err)
			}
			if answer.Answered || len(answer.Attempts) != 1 || answer.Usage.Total() == 0 || *answer.Cost == 0 || answer.Reason == "" || answer.TraceID == "" {
				t.Errorf("%+v", answer)
			}
		})
	}
}

func TestAnInterruptEndsModelCallAndQuery(t *testing.T) {
	t.Run("model", func(t *testing.T) {
		fake := fakemodel.New(t)
		hold := make(chan struct{})
		defer close(hold)
		ctx, cancel := context.WithCancel(t.Context())
		reply := draft("SELECT 1")
		reply.Hold = hold
		fake.Answer(func(fakemodel.Call) fakemodel.Reply { cancel(); return reply })
		a, err := direct.New(config(t, client(fake), semantic.Model{}))
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := a.Ask(ctx, agent.Question{Text: "q"}); err == nil || answer.Answered || ctx.Err() == nil {
			t.Errorf("%+v %v", answer, err)
		}
	})
	t.Run("query", func(t *testing.T) {
		fake := fakemodel.New(t)
		fake.Script(draft("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"))
		ctx, cancel := context.WithCancel(t.Context())
		c := config(t, client(fake), semantic.Model{})
		c.Stage = func(s agent.Stage) {
			if s == agent.Execute {
				time.AfterFunc(20*time.Millisecond, cancel)
			}
		}
		a, err := direct.New(c)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := a.Ask(ctx, agent.Question{Text: "q"})
		if !errors.Is(err, context.Canceled) || answer.Usage.Total() == 0 {
			t.Errorf("%+v %v", answer, err)
		}
	})
}

func TestCapsCutAndSaySo(t *testing.T) {
	fake := fakemodel.New(t)
	fake.Answer(func(fakemodel.Call) fakemodel.Reply { return draft("SELECT * FROM orders") })
	c := config(t, client(fake), semantic.Model{})
	c.Caps = db.Caps{Rows: 2}
	answer, err := ask(t, c, "q")
	if err != nil || answer.Truncated != db.ByRows || len(answer.Rows) != 2 {
		t.Errorf("%+v %v", answer, err)
	}
}

func TestADateStaysAsStored(t *testing.T) {
	fake := fakemodel.New(t)
	fake.Script(draft("SELECT ordered_at FROM orders WHERE order_id = 1"))
	answer, err := ask(t, config(t, client(fake), semantic.Model{}), "q")
	if err != nil || answer.Rows[0][0].Raw() != "2026-11-02" {
		t.Errorf("%+v %v", answer, err)
	}
}

func TestACitationIsVerified(t *testing.T) {
	model := semantic.Model{Assets: []semantic.Asset{
		{Name: "order_count", SQL: "SELECT COUNT(*) AS n FROM orders"}, {Name: "other", SQL: "SELECT 1 AS other"}}}
	fake := fakemodel.New(t)
	fake.Script(fakemodel.JSON(map[string]any{"plan": "", "answerable": true, "sql": "select count(*) as n from orders", "missing": "", "nearest": nil, "used_assets": []string{"other", "invented"}, "confidence": "certain"}))
	answer, err := ask(t, config(t, client(fake), model), "q")
	if err != nil || len(answer.UsedAssets) != 1 || answer.UsedAssets[0] != "order_count" || answer.Confidence != "" {
		t.Errorf("%+v %v", answer, err)
	}
}

func TestTheDatabaseGoesAwayMidway(t *testing.T) {
	fake := fakemodel.New(t)
	c := config(t, client(fake), semantic.Model{})
	fake.Answer(func(fakemodel.Call) fakemodel.Reply { c.Database.Close(); return draft("SELECT 1") })
	answer, err := ask(t, c, "q")
	if err == nil || answer.Answered || answer.Usage.Total() == 0 || len(answer.Attempts) != 1 {
		t.Errorf("%+v %v", answer, err)
	}
}

// A failed question's whole case is in the state folder.
func TestTheCaseOfAFailedQuestionIsRebuiltFromItsTrace(t *testing.T) {
	fake := fakemodel.New(t)
	replies := []string{"SELECT nope FROM orders", "DROP TABLE orders", "SELECT MEDIAN(amount_cents) FROM orders"}
	for _, sql := range replies {
		fake.Script(draft(sql))
	}
	state := t.TempDir()
	c := config(t, client(fake), semantic.Model{Instructions: "Be exact."})
	c.Trace = trace.NewRun(state, trace.Options{Version: "v0"})
	answer, err := ask(t, c, "How many <orders>?")
	if err != nil || answer.Answered {
		t.Fatalf("%+v %v", answer, err)
	}
	if err := c.Trace.Close(); err != nil {
		t.Fatal(err)
	}

	files, err := filepath.Glob(filepath.Join(state, "traces", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	file, err := os.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := trace.Read(file)
	if err != nil {
		t.Fatal(err)
	}

	var root trace.Record
	var sql, verdicts, messages []string
	for _, r := range records {
		if r.TraceID != answer.TraceID {
			t.Fatalf("a span of another trace: %+v", r)
		}
		switch {
		case r.Name == trace.SpanAsk:
			root = r
		case strings.HasPrefix(r.Name, trace.SpanModel):
			messages = append(messages, r.Text(trace.GenAIInputText))
			if r.Text(trace.GenAIModel) == "" || r.Text(trace.GenAIOutput) == "0" || r.End.Sub(r.Start) <= 0 || r.Text(trace.CostMicroUSD) == "" {
				t.Errorf("model span: %+v", r)
			}
		case r.Name == trace.SpanGuard:
			sql = append(sql, r.Text(trace.SQL))
			verdicts = append(verdicts, r.Text(trace.GuardAllowed)+" "+r.Text(trace.GuardLayer))
		case r.Name == trace.SpanSelect && len(r.List(trace.SelectedItems)) != 3:
			t.Errorf("selection: %v", r.List(trace.SelectedItems))
		}
	}
	if strings.Join(sql, "|") != strings.Join(replies, "|") || !strings.HasPrefix(verdicts[0], "true") || !strings.HasPrefix(verdicts[1], "false ") {
		t.Errorf("attempts: %q %q", sql, verdicts)
	}
	if root.Text(trace.Question) != "How many <orders>?" || root.Error == "" || root.Text(trace.Reason) != answer.Reason {
		t.Errorf("root: %+v", root)
	}

	// Prompt and messages of the last call, as the model got them.
	var hash string
	for _, r := range records {
		if r.Name == trace.SpanCompile {
			hash = r.Text(trace.PromptHash)
		}
	}
	text, err := os.ReadFile(trace.PromptPath(state, hash))
	if err != nil {
		t.Fatal(err)
	}
	last := fake.Calls()[2]
	if string(text) != last.System {
		t.Error("the stored prompt is not the one that was sent")
	}
	var turns []trace.Message
	if err := json.Unmarshal([]byte(messages[2]), &turns); err != nil || len(turns) != len(last.Turns) {
		t.Fatalf("%v %v", turns, err)
	}
	for i := range turns {
		if turns[i].Parts[0].Content != last.Turns[i] {
			t.Errorf("turn %d: %q, sent %q", i, turns[i].Parts, last.Turns[i])
		}
	}
}

func TestAGoodAnswersTraceHasRowsAndHashButNoData(t *testing.T) {
	fake := fakemodel.New(t)
	fake.Script(draft("SELECT name FROM customers WHERE id = 2"))
	c := config(t, client(fake), semantic.Model{})
	c.Trace = trace.NewRun(t.TempDir(), trace.Options{})
	if answer, err := ask(t, c, "q"); err != nil || !answer.Answered {
		t.Fatalf("%+v %v", answer, err)
	}
	raw, err := os.ReadFile(c.Trace.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{trace.RowsHash, trace.DBRowsReturned, trace.DBQuery, `"sqlite"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(string(raw), "Björn") {
		t.Error("the trace holds a row's content")
	}
}

var _ agent.Agent = (*direct.Agent)(nil)
