// Package servers starts real database servers for tests: a temporary
// cluster on a free loopback port, one per test binary, and one fresh
// database per test. It needs the engines installed and nothing else, works
// as root, and leaves neither a process nor a folder behind, also when the
// test binary is killed.
package servers

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Server is a running server seen from one test's own database.
type Server struct {
	// URL is the superuser's, ReaderURL that of a role with SELECT on the
	// test's database and nothing else. Both need their password.
	URL, ReaderURL string
	// Database and Reader are the names in those URLs.
	Database, Reader string

	cluster *cluster
}

// Options change how a private server is started.
type Options struct {
	// Clock, when set, is the time the server believes it is at its start
	// (libfaketime); its clock runs on from there.
	Clock time.Time
	// Args are further arguments of the server program.
	Args []string
}

// The passwords of the superuser and of every reader.
const (
	SuperPassword  = "super-pw"
	ReaderPassword = "reader-pw"
)

// Postgres gives a fresh database on the test binary's PostgreSQL, started
// when it is first asked for.
func Postgres(t testing.TB) *Server {
	t.Helper()
	return sharedPostgres.database(t)
}

// MariaDB gives a fresh database on the test binary's MariaDB.
func MariaDB(t testing.TB) *Server {
	t.Helper()
	return sharedMariaDB.database(t)
}

// PrivatePostgres starts a PostgreSQL for this test alone and stops it at the
// test's end.
func PrivatePostgres(t testing.TB, o Options) *Server {
	t.Helper()
	return private(t, postgresEngine{}, o)
}

// PrivateMariaDB starts a MariaDB for this test alone and stops it at the
// test's end.
func PrivateMariaDB(t testing.TB, o Options) *Server {
	t.Helper()
	return private(t, mariaEngine{}, o)
}

var (
	sharedPostgres = shared{engine: postgresEngine{}}
	sharedMariaDB  = shared{engine: mariaEngine{}}
	databases      atomic.Int64
)

// engine is what differs between the servers.
type engine interface {
	title() string
	starter
	keeper
	recorder
}

type starter interface {
	// find locates the programs; an error says what is not installed.
	find() (programs, error)
	// setup fills c.dir with a new cluster.
	setup(c *cluster) error
	// command is the server's command line.
	command(c *cluster) (name string, args []string)
}

type keeper interface {
	// client runs a script as superuser and returns rows as lines of
	// tab-separated values.
	client(c *cluster, database, script string) (string, error)
	// create makes a database and its reader.
	create(c *cluster, database, reader string) error
	url(c *cluster, user, password, database string) string
	superuser() string
}

type recorder interface {
	startLog(c *cluster, database string) error
	readLog(c *cluster, database, user string) ([]string, error)
}

type programs struct{ server, setup, client string }

// cluster is one server process and its folder.
type cluster struct {
	engine   engine
	programs programs
	dir      string
	port     int
	process  *process
}

type shared struct {
	engine engine
	once   sync.Once
	c      *cluster
	err    error
}

func (s *shared) database(t testing.TB) *Server {
	t.Helper()
	s.once.Do(func() { s.c, s.err = start(s.engine, Options{}) })
	if s.err != nil {
		unavailable(t, s.err)
	}
	return s.c.database(t)
}

func private(t testing.TB, e engine, o Options) *Server {
	t.Helper()
	c, err := start(e, o)
	if err != nil {
		unavailable(t, err)
	}
	t.Cleanup(c.process.stop)
	return c.database(t)
}

// errNotInstalled is a reason to skip, unless the engines are required.
var errNotInstalled = errors.New("not installed")

func unavailable(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errNotInstalled) && os.Getenv("SQBYL_REQUIRE_ENGINES") != "1" {
		t.Skip(err)
	}
	t.Fatal(err)
}

func (c *cluster) database(t testing.TB) *Server {
	t.Helper()
	name := fmt.Sprintf("test%d", databases.Add(1))
	s := &Server{Database: name, Reader: name + "_reader", cluster: c}
	if err := c.engine.create(c, s.Database, s.Reader); err != nil {
		t.Fatalf("creating a database on %s: %v\n%s", c.engine.title(), err, c.logTail())
	}
	s.URL = s.URLFor(c.engine.superuser(), SuperPassword, s.Database)
	s.ReaderURL = s.URLFor(s.Reader, ReaderPassword, s.Database)
	return s
}

// URLFor is a URL of this server for any user and database.
func (s *Server) URLFor(user, password, database string) string {
	return s.cluster.engine.url(s.cluster, user, password, database)
}

// Port is the server's TCP port on 127.0.0.1.
func (s *Server) Port() int { return s.cluster.port }

// Dir is the cluster's folder, readable and writable by the server.
func (s *Server) Dir() string { return s.cluster.dir }

// Exec runs a script of any number of statements as superuser.
func (s *Server) Exec(t testing.TB, script string) {
	t.Helper()
	s.Query(t, script)
}

// Query runs a script as superuser and returns its rows, one per line, values
// separated by tabs.
func (s *Server) Query(t testing.TB, script string) string {
	t.Helper()
	out, err := s.cluster.engine.client(s.cluster, s.Database, script)
	if err != nil {
		t.Fatalf("%s: %v", s.cluster.engine.title(), err)
	}
	return out
}

// Capture turns the server's statement log on for this database. The function
// it returns gives the statements of one user that arrived since, in order
// (an empty user: those of everybody). Open connections after Capture.
func (s *Server) Capture(t testing.TB) func(user string) []string {
	t.Helper()
	if err := s.cluster.engine.startLog(s.cluster, s.Database); err != nil {
		t.Fatalf("turning the statement log on: %v", err)
	}
	return func(user string) []string {
		t.Helper()
		lines, err := s.cluster.engine.readLog(s.cluster, s.Database, user)
		if err != nil {
			t.Fatalf("reading the statement log: %v", err)
		}
		return lines
	}
}

// Kill ends a private server at once, as a crash would.
func (s *Server) Kill() { s.cluster.process.kill() }

// start sets a cluster up and tries ports until the server answers.
func start(e engine, o Options) (*cluster, error) {
	p, err := e.find()
	if err != nil {
		return nil, err
	}
	dir, err := serverDir()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.title(), err)
	}
	c := &cluster{engine: e, programs: p, dir: dir}
	if err := e.setup(c); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("setting %s up: %w", e.title(), err)
	}
	for attempt := 0; ; attempt++ {
		if err = c.launch(o); err == nil {
			return c, nil
		}
		if attempt == 3 || errors.Is(err, errNotInstalled) {
			os.RemoveAll(dir)
			return nil, err
		}
	}
}

func (c *cluster) launch(o Options) error {
	var err error
	if c.port, err = freePort(); err != nil {
		return err
	}
	name, args := c.engine.command(c)
	var env []string
	if !o.Clock.IsZero() {
		if env, err = clockEnv(o.Clock); err != nil {
			return err
		}
	}
	if c.process, err = startProcess(c.dir, c.log(), env, name, append(args, o.Args...)); err != nil {
		return fmt.Errorf("starting %s: %w", c.engine.title(), err)
	}
	deadline := time.Now().Add(60 * time.Second)
	for {
		if _, err = c.engine.client(c, "", "SELECT 1;"); err == nil {
			return nil
		}
		if c.process.exited() || time.Now().After(deadline) {
			c.process.kill()
			return fmt.Errorf("%s does not answer: %w\n%s", c.engine.title(), err, c.logTail())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (c *cluster) log() string { return filepath.Join(c.dir, "server.log") }

func (c *cluster) logTail() string {
	b, err := os.ReadFile(c.log())
	if err != nil {
		return ""
	}
	return string(b[max(0, len(b)-2000):])
}

// freePort asks the kernel for a port; another process may take it before the
// server does, so starting is tried again.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// find looks a program up in the PATH and in the given folders, whose names
// may hold wildcards; the last match in a folder, the newest version, wins.
func find(name string, dirs ...string) (string, error) {
	for _, dir := range dirs {
		found, err := filepath.Glob(filepath.Join(dir, name))
		if err == nil && len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is %w", name, errNotInstalled)
	}
	return path, nil
}

// clockEnv is the environment that makes a program believe another time.
func clockEnv(at time.Time) ([]string, error) {
	lib, err := find("libfaketimeMT.so.1", "/usr/lib/*/faketime", "/usr/lib/faketime", "/usr/local/lib/faketime")
	if err != nil {
		return nil, err
	}
	return []string{
		"LD_PRELOAD=" + lib,
		"FAKETIME=@" + at.UTC().Format("2006-01-02 15:04:05"),
		"FAKETIME_DONT_FAKE_MONOTONIC=1",
		"FAKETIME_DONT_RESET=1", // children go on where the parent is
		"TZ=UTC",
	}, nil
}

func serverURL(scheme, user, password string, port int, database string) string {
	u := url.URL{Scheme: scheme, User: url.UserPassword(user, password), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: "/" + database}
	return u.String()
}

// run runs a program of the engine with a script on its input.
func (c *cluster) run(script, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	cmd.Stdin = strings.NewReader(script)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

func eachLine(path string, f func(line string)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		f(scan.Text())
	}
	return scan.Err()
}
