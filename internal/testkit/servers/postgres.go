package servers

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

type postgresEngine struct{}

func (postgresEngine) title() string     { return "PostgreSQL" }
func (postgresEngine) superuser() string { return "postgres" }

func (postgresEngine) find() (programs, error) {
	dirs := []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin"}
	var p programs
	for _, want := range []struct {
		path *string
		name string
	}{{&p.server, "postgres"}, {&p.setup, "initdb"}, {&p.client, "psql"}} {
		path, err := find(want.name, dirs...)
		if err != nil {
			return p, fmt.Errorf("PostgreSQL: %w", err)
		}
		*want.path = path
	}
	return p, nil
}

// hba asks every TCP connection for its password and turns unencrypted ones
// to the database tls_only away.
const hba = `local all all trust
hostnossl tls_only all 127.0.0.1/32 reject
host all all 127.0.0.1/32 scram-sha-256
`

func (postgresEngine) setup(c *cluster) error {
	pw := filepath.Join(c.dir, "pw")
	if err := os.WriteFile(pw, []byte(SuperPassword+"\n"), 0o644); err != nil {
		return err
	}
	data := filepath.Join(c.dir, "data")
	err := runSetup(c.dir, c.programs.setup, "-D", data, "-U", "postgres", "--pwfile="+pw,
		"--auth-local=trust", "--auth-host=scram-sha-256", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8")
	if err != nil {
		return err
	}
	return writeOwned(filepath.Join(data, "pg_hba.conf"), hba)
}

func (postgresEngine) command(c *cluster) (string, []string) {
	return c.programs.server, []string{
		"-D", filepath.Join(c.dir, "data"), "-h", "127.0.0.1", "-p", strconv.Itoa(c.port), "-k", c.dir, "-F",
		"-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "shared_buffers=32MB", "-c", "autovacuum=off",
		"-c", "max_connections=60", "-c", "log_line_prefix=%u@%d> ", "-c", "timezone=UTC", "-c", "jit=off",
	}
}

func (postgresEngine) client(c *cluster, database, script string) (string, error) {
	if database == "" {
		database = "postgres"
	}
	return c.run(script, c.programs.client, "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1",
		"-h", c.dir, "-p", strconv.Itoa(c.port), "-U", "postgres", "-d", database)
}

func (e postgresEngine) create(c *cluster, database, reader string) error {
	script := fmt.Sprintf(`CREATE DATABASE %[1]s;
CREATE ROLE %[2]s LOGIN PASSWORD '%[3]s';
REVOKE ALL ON DATABASE %[1]s FROM PUBLIC;
GRANT CONNECT ON DATABASE %[1]s TO %[2]s;
`, database, reader, ReaderPassword)
	if _, err := e.client(c, "", script); err != nil {
		return err
	}
	_, err := e.client(c, database, fmt.Sprintf(`ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO %[1]s;
ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO %[1]s;
GRANT USAGE ON SCHEMA public TO %[1]s;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
`, reader))
	return err
}

func (postgresEngine) url(c *cluster, user, password, database string) string {
	return serverURL("postgres", user, password, c.port, database)
}

func (e postgresEngine) startLog(c *cluster, database string) error {
	_, err := e.client(c, database, fmt.Sprintf("ALTER DATABASE %s SET log_statement = 'all';", database))
	return err
}

// logged is the start of a log entry: "user@database> LOG:  execute s: text".
var logged = regexp.MustCompile(`^(\S*)@(\S*)> (\w+): +(.*)$`)

func (e postgresEngine) readLog(c *cluster, database, user string) ([]string, error) {
	var statements []string
	open := false
	err := eachLine(c.log(), func(line string) {
		m := logged.FindStringSubmatch(line)
		if m == nil {
			if open && strings.HasPrefix(line, "\t") {
				statements[len(statements)-1] += "\n" + line[1:]
			}
			return
		}
		open = false
		if m[2] != database || user != "" && m[1] != user || m[3] != "LOG" {
			return
		}
		head, text, ok := strings.Cut(m[4], ": ")
		if ok && (head == "statement" || strings.HasPrefix(head, "execute ")) {
			statements, open = append(statements, text), true
		}
	})
	return statements, err
}
