package servers

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

type mariaEngine struct{}

func (mariaEngine) title() string     { return "MariaDB" }
func (mariaEngine) superuser() string { return "root" }

func (mariaEngine) find() (programs, error) {
	dirs := []string{"/usr/sbin", "/usr/bin", "/opt/homebrew/opt/mariadb*/bin", "/usr/local/opt/mariadb*/bin"}
	var p programs
	for _, want := range []struct {
		path *string
		name string
	}{{&p.server, "mariadbd"}, {&p.setup, "mariadb-install-db"}, {&p.client, "mariadb"}} {
		path, err := find(want.name, dirs...)
		if err != nil {
			return p, fmt.Errorf("MariaDB: %w", err)
		}
		*want.path = path
	}
	return p, nil
}

func (mariaEngine) setup(c *cluster) error {
	return runSetup(c.dir, c.programs.setup, "--no-defaults", "--auth-root-authentication-method=normal",
		"--skip-test-db", "--datadir="+filepath.Join(c.dir, "data"))
}

func (mariaEngine) command(c *cluster) (string, []string) {
	return c.programs.server, []string{
		"--no-defaults", "--datadir=" + filepath.Join(c.dir, "data"), "--socket=" + filepath.Join(c.dir, "sock"),
		"--pid-file=" + filepath.Join(c.dir, "pid"), "--bind-address=127.0.0.1", "--port=" + strconv.Itoa(c.port),
		"--skip-log-bin", "--skip-name-resolve", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M",
		"--character-set-server=utf8mb4", "--log-output=FILE", "--general-log-file=" + filepath.Join(c.dir, "general.log"),
		"--secure-file-priv=", "--default-time-zone=+00:00", "--event-scheduler=OFF",
	}
}

func (mariaEngine) client(c *cluster, database, script string) (string, error) {
	args := []string{"--no-defaults", "--batch", "--raw", "--skip-column-names", "--default-character-set=utf8mb4",
		"--socket=" + filepath.Join(c.dir, "sock"), "--user=root"}
	if database != "" {
		args = append(args, database)
	}
	return c.run(script, c.programs.client, args...)
}

func (e mariaEngine) create(c *cluster, database, reader string) error {
	// root@localhost, over the socket, has no password; over TCP root has one.
	_, err := e.client(c, "", fmt.Sprintf(`CREATE DATABASE %[1]s;
CREATE USER %[2]s@'127.0.0.1' IDENTIFIED BY '%[3]s';
GRANT SELECT, SHOW VIEW ON %[1]s.* TO %[2]s@'127.0.0.1';
CREATE OR REPLACE USER root@'127.0.0.1' IDENTIFIED BY '%[4]s';
GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;
`, database, reader, ReaderPassword, SuperPassword))
	return err
}

func (mariaEngine) url(c *cluster, user, password, database string) string {
	return serverURL("mariadb", user, password, c.port, database)
}

func (e mariaEngine) startLog(c *cluster, _ string) error {
	_, err := e.client(c, "", "SET GLOBAL general_log = ON;")
	return err
}

// readLog reads the general log. An entry is "time \t id command \t text",
// the time only where it changed; the text may go on over several lines.
func (e mariaEngine) readLog(c *cluster, database, user string) ([]string, error) {
	if _, err := e.client(c, "", "FLUSH GENERAL LOGS;"); err != nil {
		return nil, err
	}
	var statements []string
	wanted := map[string]bool{}
	open := false
	err := eachLine(filepath.Join(c.dir, "general.log"), func(line string) {
		id, command, text, ok := logEntry(line)
		switch {
		case !ok:
			if open {
				statements[len(statements)-1] += "\n" + line
			}
			return
		case command == "Connect":
			who, on, _ := strings.Cut(text, " on ")
			name, _, _ := strings.Cut(who, "@")
			wanted[id] = strings.HasPrefix(on, database+" ") && (user == "" || name == user)
			open = false
			return
		}
		open = wanted[id] && (command == "Query" || command == "Execute")
		if open {
			statements = append(statements, text)
		}
	})
	return statements, err
}

func logEntry(line string) (id, command, text string, ok bool) {
	parts := strings.SplitN(line, "\t", 4)
	if len(parts) == 4 && parts[0] == "" && parts[1] == "" {
		parts = []string{"", parts[2], parts[3]}
	} else if len(parts) >= 3 {
		parts = strings.SplitN(line, "\t", 3)
	}
	if len(parts) < 3 {
		return "", "", "", false
	}
	id, command, ok = strings.Cut(strings.TrimSpace(parts[1]), " ")
	if _, err := strconv.Atoi(id); err != nil || !ok {
		return "", "", "", false
	}
	return id, command, parts[2], true
}
