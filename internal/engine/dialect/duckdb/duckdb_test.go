package duckdb

import (
	"slices"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

func TestIdentQuotesWhatNeedsIt(t *testing.T) {
	for name, want := range map[string]string{
		"orders": "orders", "Orders": "Orders", "_x1": "_x1", "1x": `"1x"`, "": `""`, "order": `"order"`, "SELECT": `"SELECT"`,
		"a b": `"a b"`, `a"b`: `"a""b"`, "naïve": `"naïve"`, "a$b": `"a$b"`, "user": "user", "coalesce": `"coalesce"`,
	} {
		if got := Ident(name); got != want {
			t.Errorf("Ident(%q) = %s, want %s", name, got, want)
		}
	}
}

// A host's connection gives plain text, this product's gives JSON.
func TestClassifyReadsBothForms(t *testing.T) {
	for _, c := range []struct {
		message   string
		kind      db.ErrorKind
		name      string
		candidate string
		offset    int
		text      string
	}{
		{"Binder Error: Referenced column \"nope\" not found in FROM clause!\nCandidate bindings: \"note\", \"o.nose\"\n\nLINE 1: SELECT nope FROM o\n               ^",
			db.ErrUnknownColumn, "nope", "o.nose", -1, "Binder Error: Referenced column \"nope\" not found in FROM clause!\nCandidate bindings: \"note\", \"o.nose\""},
		{`{"exception_type":"Binder","exception_message":"Referenced column \"nope\" not found in FROM clause!\nCandidate bindings: \"x\"","candidates":"x","position":"7","error_subtype":"COLUMN_NOT_FOUND","name":"nope"}`,
			db.ErrUnknownColumn, "nope", "x", 7, "Binder Error: Referenced column \"nope\" not found in FROM clause!\nCandidate bindings: \"x\""},
		{"Catalog Error: Table with name nopet does not exist!\nDid you mean \"pg_settings\"?", db.ErrUnknownTable, "nopet", "", -1, "Catalog Error: Table with name nopet does not exist!"},
		{"Catalog Error: Table with name ordrs does not exist!\nDid you mean \"orders\"?", db.ErrUnknownTable, "ordrs", "orders", -1, ""},
		{"Catalog Error: Scalar Function with name nope does not exist!\nDid you mean \"now\"?", db.ErrUnknownFunction, "nope", "now", -1, ""},
		{`Parser Error: {"exception_type":"Parser","exception_message":"syntax error at or near \"selec\"","error_subtype":"SYNTAX_ERROR","position":"0"}`,
			db.ErrSyntax, "", "", 0, `Parser Error: syntax error at or near "selec"`},
		{"Parser Error: syntax error at end of input", db.ErrSyntax, "", "", -1, ""},
		{"Conversion Error: Could not convert string 'a' to INT32\n\nLINE 1: SELECT 'a'::INT\n                  ^", db.ErrType, "", "", -1, "Conversion Error: Could not convert string 'a' to INT32"},
		{"Out of Memory Error: failed to allocate data of size 16.0 MiB (30.0 MiB/30.5 MiB used)", db.ErrResource, "", "", -1, ""},
		{"INTERRUPT Error: Interrupted!", db.ErrCanceled, "", "", -1, ""},
		{"Permission Error: Cannot access file \"x\" - file system operations are disabled by configuration", db.ErrPermission, "", "", -1, ""},
		{`Invalid Input Error: Cannot execute statement of type "INSERT" on database "c" which is attached in read-only mode!`, db.ErrReadOnly, "", "", -1, ""},
		{`IO Error: Could not set lock on file "/x/y.db": Conflicting lock is held in /usr/bin/z (PID 1).`, db.ErrLocked, "", "", -1, ""},
		{"IO Error: Could not write file \"x\": No space left on device", db.ErrResource, "", "", -1, ""},
		{"something else", db.ErrUnknown, "", "", -1, "something else"},
	} {
		e := Classify("", c.message)
		if e.Kind != c.kind || e.Name != c.name || e.Offset != c.offset || c.candidate != "" && !slices.Contains(e.Candidates, c.candidate) || c.candidate == "" && len(e.Candidates) > 0 || c.text != "" && e.Message != c.text {
			t.Errorf("%s:\n%+v\nwant %s %q %q at %d, %q", c.message, e, c.kind, c.name, c.candidate, c.offset, c.text)
		}
	}
}

func TestNowSpellsLiterals(t *testing.T) {
	at := time.Date(2026, 11, 30, 23, 5, 6, 500_000_000, time.FixedZone("", 3600))
	for token, want := range map[string]string{
		"now()": "TIMESTAMPTZ '2026-11-30 23:05:06.5+01:00'", "NOW ( )": "TIMESTAMPTZ '2026-11-30 23:05:06.5+01:00'",
		"current_date": "DATE '2026-11-30'", "Today()": "DATE '2026-11-30'", "LOCALTIMESTAMP": "TIMESTAMP '2026-11-30 23:05:06.5'",
		"localtime": "TIME '23:05:06.5'", "current_time": "TIMETZ '23:05:06.5+01:00'",
	} {
		if got, ok := Now(token, at); !ok || got != want {
			t.Errorf("Now(%s) = %s, want %s", token, got, want)
		}
	}
	for _, token := range []string{"random()", "nowadays", "'now'", "", "now", "today", "Transaction_Timestamp", "get_current_time", "current_localtime"} {
		if got, ok := Now(token, at); ok {
			t.Errorf("Now(%s) = %s", token, got)
		}
	}
}

func TestViewBodyIsCutFromItsText(t *testing.T) {
	for ddl, want := range map[string]string{
		"CREATE VIEW v AS SELECT 1;":                               `SELECT 1`,
		`CREATE VIEW "a AS b" ("x AS y", z) AS SELECT 1 AS q;`:     `SELECT 1 AS q`,
		`CREATE VIEW s."q""AS " AS WITH a AS (SELECT 1) SELECT 2;`: `WITH a AS (SELECT 1) SELECT 2`,
		"something else": "something else",
	} {
		if got := viewBody(ddl); got != want {
			t.Errorf("%s: %q, want %q", ddl, got, want)
		}
	}
}
