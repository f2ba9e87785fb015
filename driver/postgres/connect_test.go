package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/testkit/servers"
)

func TestWarningsSayWhatTheRoleMayDoAndHowToStopIt(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, `CREATE TABLE orders (id int, note text); CREATE SEQUENCE sq;`)
	reader, group := s.Reader, s.Reader+"_group"
	s.Exec(t, fmt.Sprintf(`CREATE ROLE %[2]s; CREATE ROLE %[2]s_plain; GRANT %[2]s_plain TO %[1]s;
CREATE FUNCTION give() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'; REVOKE EXECUTE ON FUNCTION give() FROM PUBLIC;`, reader, group))
	for _, c := range []struct {
		give, take string
		message    string
		remedy     string // runs as superuser and ends the warning, unless it makes a new role
	}{
		{"", "", "", ""},
		{`GRANT INSERT ON orders TO ` + reader, "", reader + " has INSERT on 1 tables (public.orders)", "REVOKE INSERT ON public.orders FROM " + reader},
		{`GRANT UPDATE (note) ON orders TO ` + reader, "", reader + " has UPDATE (note) on public.orders", "REVOKE UPDATE (note) ON public.orders FROM " + reader},
		{`GRANT DELETE ON orders TO PUBLIC`, "", "PUBLIC has DELETE on 1 tables (public.orders)", "REVOKE DELETE ON public.orders FROM PUBLIC"},
		{`GRANT TRUNCATE ON orders TO ` + group + `; GRANT ` + group + ` TO ` + reader, `REVOKE ` + group + ` FROM ` + reader, group + " has TRUNCATE on 1 tables (public.orders)", "REVOKE TRUNCATE ON public.orders FROM " + group},
		{`ALTER ROLE ` + reader + ` NOINHERIT; GRANT INSERT ON orders TO ` + group + `_plain`, "", group + "_plain has INSERT on 1 tables (public.orders)", "REVOKE INSERT ON public.orders FROM " + group + "_plain"},
		{`GRANT CREATE ON SCHEMA public TO ` + reader, "", reader + " may create objects in schema public", "REVOKE CREATE ON SCHEMA public FROM " + reader},
		{`GRANT CREATE ON DATABASE ` + s.Database + ` TO ` + reader, "", reader + " may create schemas in database " + s.Database, "REVOKE CREATE ON DATABASE " + s.Database + " FROM " + reader},
		{`ALTER ROLE ` + reader + ` CREATEROLE CREATEDB`, "", "role " + reader + " has CREATEROLE, CREATEDB", "ALTER ROLE " + reader + " NOCREATEROLE NOCREATEDB"},
		{`GRANT pg_write_all_data TO ` + reader, `REVOKE pg_write_all_data FROM ` + reader, "the credential is a member of pg_write_all_data", ""},
		{`ALTER TABLE orders OWNER TO ` + reader, `ALTER TABLE orders OWNER TO postgres`, "role " + reader + " owns public.orders and may change or drop it", ""},
		{`GRANT EXECUTE ON FUNCTION give() TO ` + reader, "", reader + " may call 1 functions that run with their owner's rights (public.give); model SQL may not unless they are allowed", "REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA public FROM PUBLIC, " + reader},
	} {
		if c.give != "" {
			s.Exec(t, c.give+";")
		}
		info := open(t, s.ReaderURL, driver.Options{Connections: 1}).Info()
		if c.message == "" {
			if len(info.Warnings) > 0 || info.Superuser {
				t.Errorf("a plain reader is warned of: %v", info.Warnings)
			}
			continue
		}
		i := slices.IndexFunc(info.Warnings, func(w db.Warning) bool { return w.Message == c.message })
		if i < 0 {
			t.Errorf("%s: warnings %v lack %q", c.give, info.Warnings, c.message)
			continue
		}
		if c.remedy != "" && !slices.Equal(info.Warnings[i].Remedy, []string{c.remedy}) {
			t.Errorf("%s: remedy %q, want %q", c.give, info.Warnings[i].Remedy, c.remedy)
		}
		if c.remedy != "" {
			s.Exec(t, strings.Join(info.Warnings[i].Remedy, ";\n")+";")
		}
		if c.take != "" {
			s.Exec(t, c.take+";")
		}
		if after := open(t, s.ReaderURL, driver.Options{Connections: 1}).Info(); len(after.Warnings) > 0 {
			t.Errorf("after %q there is still %v", c.remedy+c.take, after.Warnings)
		}
	}
	info := open(t, s.URL, driver.Options{Connections: 1}).Info()
	if !info.Superuser || len(info.Warnings) != 1 || len(info.Warnings[0].Remedy) < 4 {
		t.Fatalf("superuser: %+v", info)
	}
	// The remedy makes a role that works and is not warned of.
	s.Exec(t, strings.ReplaceAll(strings.Join(info.Warnings[0].Remedy, ";\n"), "'…'", "'sesame'")+";")
	t.Cleanup(func() { s.Exec(t, "DROP OWNED BY sqbyl_reader; DROP ROLE sqbyl_reader;") })
	made := open(t, s.URLFor("sqbyl_reader", "sesame", s.Database), driver.Options{Connections: 1})
	if _, err := query(t, made, "SELECT count(*) FROM orders"); err != nil || len(made.Info().Warnings) > 0 {
		t.Errorf("the role of the remedy: %v, %v", err, made.Info().Warnings)
	}
}

func TestConnectionsThatFailSayWhyWithoutThePassword(t *testing.T) {
	s := servers.Postgres(t)
	s.Exec(t, "CREATE ROLE "+s.Reader+"_2 LOGIN PASSWORD 'sesame'; CREATE DATABASE tls_only;")
	t.Cleanup(func() { s.Exec(t, "DROP DATABASE tls_only;") })
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = free.Close() }()
	silent := free.Addr().String()
	for _, c := range []struct {
		url  string
		kind db.ErrorKind
		says string
	}{
		{s.URLFor(s.Reader, "sesame", s.Database), db.ErrAuth, "password"},
		{s.URLFor("nobody_here", "sesame", s.Database), db.ErrAuth, "password"},
		{s.URLFor("postgres", servers.SuperPassword, "no_such_db"), db.ErrAuth, "check the database's name"},
		{s.URLFor(s.Reader+"_2", "sesame", s.Database), db.ErrPermission, "GRANT CONNECT"},
		{s.URLFor("postgres", servers.SuperPassword, "tls_only") + "?sslmode=disable", db.ErrAuth, "sslmode=require"},
		{s.URL + "?sslmode=require", db.ErrUnreachable, "does not speak TLS"},
		{"postgres://u:sesame@127.0.0.1:1/x", db.ErrUnreachable, "refused"},
		{"postgres://u:sesame@" + silent + "/x?sslmode=disable", db.ErrUnreachable, "no answer in time"},
		{"postgres://u:sesame@no-such-host.invalid/x", db.ErrUnreachable, "no-such-host.invalid"},
		{"postgres://u:se%zzsame@h/x", db.ErrAuth, "percent-encoded"},
	} {
		database, err := driver.Open(t.Context(), c.url, driver.Options{ConnectTimeout: 700 * time.Millisecond})
		if err == nil {
			_ = database.Close()
			t.Errorf("%s opened", driver.Mask(c.url))
			continue
		}
		var e *db.Error
		if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: %v (%+v)", driver.Mask(c.url), err, e)
		}
		if strings.Count(err.Error(), "refused") > 1 {
			t.Errorf("%s: a reason twice: %v", driver.Mask(c.url), err)
		}
		if strings.Contains(err.Error(), "sesame") || strings.Contains(err.Error(), servers.SuperPassword) || !strings.Contains(err.Error(), "connect to postgres://") {
			t.Errorf("%s: %v", driver.Mask(c.url), err)
		}
	}
}

func TestServerGoneMidQuery(t *testing.T) {
	s := servers.PrivatePostgres(t, servers.Options{})
	database := open(t, s.ReaderURL, driver.Options{Connections: 2})
	statement, err := check(t, database, "SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000) b")
	if err != nil {
		t.Fatal(err)
	}
	// A session ended by an administrator: the pool gives a new one.
	session := begin(t, database)
	done := make(chan error)
	run := func(session db.Session) {
		_, err := session.Query(context.WithoutCancel(t.Context()), statement, db.Caps{Time: time.Minute})
		done <- err
	}
	go run(session)
	waitFor(t, func() bool {
		return strings.Contains(s.Query(t, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active'"), "t")
	})
	wantLost(t, <-done)
	_ = session.Close()
	if _, err := query(t, database, "SELECT 1"); err != nil {
		t.Errorf("after a lost session: %v", err)
	}
	// The server crashes.
	session = begin(t, database)
	go run(session)
	waitFor(t, func() bool {
		return strings.TrimSpace(s.Query(t, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'FETCH%' AND state = 'active'")) == "1"
	})
	s.Kill()
	wantLost(t, <-done)
	if _, err := database.Session(t.Context(), db.Answer); err == nil || !strings.Contains(err.Error(), "postgres://"+s.Reader+":***@") {
		t.Errorf("with the server gone: %v", err)
	}
}

func wantLost(t testing.TB, err error) {
	t.Helper()
	wantKind(t, err, db.ErrUnreachable)
	if err != nil && (!strings.Contains(err.Error(), ":***@") || strings.Contains(err.Error(), servers.ReaderPassword)) {
		t.Errorf("%v", err)
	}
}
