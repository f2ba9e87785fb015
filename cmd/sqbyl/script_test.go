package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sqbyl/sqbyl/internal/testkit/fakemodel"
	"github.com/sqbyl/sqbyl/internal/testkit/golden"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"sqbyl": main})
}

// TestScripts runs testdata/script: the command line as people use it, with a
// model endpoint on loopback and no network.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		UpdateScripts:       golden.Updating(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("LANG", "C.UTF-8")
			env.Setenv("SQBYL_HOME", filepath.Join(env.WorkDir, "state"))
			examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
			if err != nil {
				return err
			}
			env.Setenv("EXAMPLES", examples)
			env.Values[fakeKey{}] = &fake{Server: fakemodel.New(t), called: make(chan struct{}, 100)}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"model": cmdModel, "calls": cmdCalls, "called": cmdCalled, "sqlite": cmdSQLite, "jq": cmdJQ, "lock": cmdLock, "bytes": cmdBytes, "code": cmdCode,
			"query": cmdQuery, "nowhere": cmdNowhere, "key": cmdKey, "jsonmode": cmdJSONMode, "planted": cmdPlanted,
		},
	})
}

type fakeKey struct{}

// fake is the model endpoint of one script.
type fake struct {
	*fakemodel.Server
	called chan struct{}
}

// reply is one line of a script's answers.
type reply struct {
	SQL     string          `json:"sql"`     // a whole structured answer with this SQL
	Answer  json.RawMessage `json:"answer"`  // a structured answer as it is
	Text    *string         `json:"text"`    // any text
	Fail    string          `json:"fail"`    // a failure by name
	Hold    bool            `json:"hold"`    // never ends
	Plan    string          `json:"plan"`    // with SQL
	Missing string          `json:"missing"` // cannot be answered
	// For answers questions with these words, in turn and the last one for
	// ever. Replies without it answer in their own turn.
	For string `json:"for"`
	// Slow are the milliseconds until the answer is whole.
	Slow int `json:"slow"`
}

func (r reply) make() (fakemodel.Reply, error) {
	fields := map[string]any{"plan": r.Plan, "answerable": r.Missing == "", "sql": r.SQL, "missing": r.Missing, "nearest": []string{}, "used_assets": []string{}, "confidence": "high"}
	switch {
	case r.Fail == "echo":
		return fakemodel.Reply{Status: 400, Body: "echo"}, nil
	case r.Fail != "":
		failures := map[string]fakemodel.Reply{
			"key": fakemodel.KeyRefused(), "quota": fakemodel.DailyQuota(), "rate": fakemodel.RateLimited(0), "overloaded": fakemodel.Overloaded(),
			"too long": fakemodel.TooLong(), "refusal": fakemodel.Refusal(), "truncated": fakemodel.Truncated(`{"plan":"`),
			"malformed": fakemodel.Malformed(), "cut": fakemodel.Cut("some text of an answer", 2),
		}
		f, ok := failures[r.Fail]
		if !ok {
			return f, fmt.Errorf("no failure %q", r.Fail)
		}
		return f, nil
	case r.Hold:
		held := fakemodel.JSON(fields)
		held.Hold = make(chan struct{})
		return held, nil
	case r.Text != nil:
		return fakemodel.Text(*r.Text), nil
	case r.Answer != nil:
		return fakemodel.Text(string(r.Answer)), nil
	}
	return fakemodel.JSON(fields), nil
}

// model FILE: the endpoint answers with the file's lines in turn.
func cmdModel(ts *testscript.TestScript, _ bool, args []string) {
	f := ts.Value(fakeKey{}).(*fake)
	var replies []fakemodel.Reply
	answers := map[string][]fakemodel.Reply{}
	for lines := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0]))); lines.Scan(); {
		var r reply
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		ts.Check(d.Decode(&r))
		made, err := r.make()
		ts.Check(err)
		made.Rest = time.Duration(r.Slow) * time.Millisecond
		if r.For != "" {
			answers[r.For] = append(answers[r.For], made)
			continue
		}
		replies = append(replies, made)
	}
	next := 0
	var mu sync.Mutex
	f.Answer(func(c fakemodel.Call) fakemodel.Reply {
		defer func() {
			select {
			case f.called <- struct{}{}:
			default: // a script that does not wait for calls
			}
		}()
		mu.Lock()
		defer mu.Unlock()
		for words, list := range answers {
			if !strings.Contains(strings.Join(c.Turns, "\n"), words) {
				continue
			}
			if len(list) > 1 {
				answers[words] = list[1:]
			}
			if list[0].Body == "echo" {
				// As careless gateways do: everything that came, back in an error.
				list[0].Body = fmt.Sprintf(`{"error":{"type":"invalid_request_error","message":%q}}`, fmt.Sprint(c.Header))
			}
			return list[0]
		}
		if next++; next > len(replies) {
			return fakemodel.Text("the script has no more answers")
		}
		return replies[next-1]
	})
	ts.Setenv("ANTHROPIC_BASE_URL", f.URL())
	ts.Setenv("ANTHROPIC_API_KEY", "sk-test-key")
}

// calls N: the endpoint was asked N times so far.
func cmdCalls(ts *testscript.TestScript, _ bool, args []string) {
	f := ts.Value(fakeKey{}).(*fake)
	if want, err := strconv.Atoi(args[0]); err != nil || len(f.Calls()) != want {
		ts.Fatalf("%d calls, want %s", len(f.Calls()), args[0])
	}
}

// called waits for the next call.
func cmdCalled(ts *testscript.TestScript, _ bool, _ []string) {
	<-ts.Value(fakeKey{}).(*fake).called
}

// sqlite FILE SQL-FILE makes a database.
func cmdSQLite(ts *testscript.TestScript, _ bool, args []string) {
	conn, err := sqlite3.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer conn.Close()
	ts.Check(conn.Exec(ts.ReadFile(args[1])))
}

// query FILE SQL VALUE: the one row's columns, with blanks between, are VALUE.
func cmdQuery(ts *testscript.TestScript, _ bool, args []string) {
	conn, err := sqlite3.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer conn.Close()
	stmt, _, err := conn.Prepare(args[1])
	ts.Check(err)
	defer stmt.Close()
	var row []string
	for stmt.Step() {
		for i := range stmt.ColumnCount() {
			row = append(row, stmt.ColumnText(i))
		}
	}
	ts.Check(stmt.Err())
	if got := strings.Join(row, " "); got != args[2] {
		ts.Fatalf("%q, want %q", got, args[2])
	}
}

// key KEY: the endpoint refuses any other from now on.
func cmdKey(ts *testscript.TestScript, _ bool, args []string) {
	ts.Value(fakeKey{}).(*fake).Set(func(s *fakemodel.Server) { s.Key = args[0] })
}

// jsonmode MODE: the endpoint knows this kind of structured answer, or none.
func cmdJSONMode(ts *testscript.TestScript, _ bool, args []string) {
	ts.Value(fakeKey{}).(*fake).Set(func(s *fakemodel.Server) { s.JSONMode = args[0] })
}

// planted: key and address of the endpoint hold a word to look for.
func cmdPlanted(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Setenv("ANTHROPIC_API_KEY", "sk-planted-key")
	ts.Setenv("ANTHROPIC_BASE_URL", strings.Replace(ts.Getenv("ANTHROPIC_BASE_URL"), "://", "://user:planted-basic@", 1))
}

// nowhere TEXT DIR: no file of the folder holds the text.
func cmdNowhere(ts *testscript.TestScript, _ bool, args []string) {
	files := 0
	ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(args[0])) {
			ts.Fatalf("%s holds it", path)
		}
		files++
		return err
	}))
	if files == 0 {
		ts.Fatalf("%s holds no file", args[1])
	}
}

// lock FILE: a writer holds the database until the script ends.
func cmdLock(ts *testscript.TestScript, _ bool, args []string) {
	conn, err := sqlite3.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Defer(func() { conn.Close() })
	ts.Check(conn.Exec("BEGIN EXCLUSIVE"))
}

// jq PATH [VALUE]: the document on the last stdout has this value at a path
// such as attempts.0.error. "jq -len N PATH" checks a list's length. Without a
// value the path must exist.
func cmdJQ(ts *testscript.TestScript, neg bool, args []string) {
	length := -1
	if args[0] == "-len" {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		length, args = n, args[2:]
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	d.UseNumber()
	var doc any
	ts.Check(d.Decode(&doc))
	if d.More() {
		ts.Fatalf("stdout holds more than one document")
	}
	got, ok := dig(doc, strings.Split(args[0], "."))
	if !ok {
		if neg {
			return
		}
		ts.Fatalf("no %s in the document", args[0])
	}
	if length >= 0 {
		if list, isList := got.([]any); !isList || len(list) != length {
			ts.Fatalf("%s has not the length %d: %v", args[0], length, got)
		}
		return
	}
	if len(args) < 2 {
		return
	}
	raw, err := json.Marshal(got)
	ts.Check(err)
	text := string(raw)
	if s, isText := got.(string); isText {
		text = s
	}
	if (text == args[1]) == neg {
		ts.Fatalf("%s is %s", args[0], text)
	}
}

func dig(v any, path []string) (any, bool) {
	if len(path) == 0 {
		return v, true
	}
	switch v := v.(type) {
	case map[string]any:
		inner, ok := v[path[0]]
		if !ok {
			return nil, false
		}
		return dig(inner, path[1:])
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(v) {
			return nil, false
		}
		return dig(v[i], path[1:])
	}
	return nil, false
}

// bytes FILE N [BYTE]: makes a file of N bytes, 'x' or the given byte value.
func cmdBytes(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	value := 'x'
	if len(args) > 2 {
		b, err := strconv.Atoi(args[2])
		ts.Check(err)
		value = rune(b)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte{byte(value)}, n), 0o600))
}

// code N COMMAND…: the command ends with exit code N. @LONG@ stands for 100 KB
// of text.
func cmdCode(ts *testscript.TestScript, _ bool, args []string) {
	for i := range args {
		if args[i] == "@LONG@" {
			args[i] = strings.Repeat("long ", 20<<10)
		}
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		var ok bool
		if got, ok = exitCode(err); !ok {
			ts.Fatalf("%v", err)
		}
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

func exitCode(err error) (int, bool) {
	type coder interface{ ExitCode() int }
	e, ok := err.(coder)
	if !ok {
		return 0, false
	}
	return e.ExitCode(), true
}
