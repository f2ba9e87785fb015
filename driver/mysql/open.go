// Package mysql opens MySQL and MariaDB databases: one statement at a time,
// in sessions that are read only and reset before each of them.
package mysql

import (
	"context"
	"errors"
	"fmt"
	"net"
	neturl "net/url"
	"runtime"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/driver/internal/pool"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/mysql"
	"github.com/sqbyl/sqbyl/internal/engine/guard"
)

func init() {
	driver.Register(dialect.MySQL, Open)
	driver.Register(dialect.MariaDB, Open)
	driver.RegisterGrammar(dialect.MySQL, func() guard.Grammar { return newGrammar(false) })
	driver.RegisterGrammar(dialect.MariaDB, func() guard.Grammar { return newGrammar(true) })
}

// Open connects and learns which of the two products answers, whatever the
// URL's scheme says, and what the credential may do.
func Open(ctx context.Context, url string, o driver.Options) (db.Database, error) {
	config, err := parse(url)
	if err != nil {
		return nil, connectError(url, err)
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, connectError(url, err)
	}
	if o.ConnectTimeout == 0 {
		o.ConnectTimeout = 10 * time.Second
	}
	if o.Connections == 0 {
		o.Connections = max(4, runtime.GOMAXPROCS(0))
	}
	d := &database{connector: connector, url: url, options: o, name: config.DBName, pool: pool.New(o.Connections, (*conn).close)}
	if err := d.learn(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// parse reads mysql://user:password@host:port/database?tls=true, and the
// form of Go's driver behind the scheme.
func parse(url string) (*mysql.Config, error) {
	_, rest, _ := strings.Cut(url, "://")
	if strings.Contains(rest, "@tcp(") || strings.Contains(rest, "@unix(") {
		config, err := mysql.ParseDSN(rest)
		if err != nil {
			return nil, errURL
		}
		return locked(config), nil
	}
	u, err := neturl.Parse(url)
	if err != nil {
		return nil, errURL
	}
	config := mysql.NewConfig()
	config.Net, config.Addr = "tcp", u.Host
	if u.Host == "" {
		config.Addr = "127.0.0.1"
	}
	if u.Port() == "" {
		config.Addr = net.JoinHostPort(strings.Trim(config.Addr, "[]"), "3306")
	}
	config.DBName = strings.TrimPrefix(u.Path, "/")
	if u.User != nil {
		config.User = u.User.Username()
		config.Passwd, _ = u.User.Password()
	}
	for key, values := range u.Query() {
		switch key {
		case "tls", "sslmode", "ssl-mode":
			config.TLSConfig = tlsMode(values[0])
		case "socket":
			config.Net, config.Addr = "unix", values[0]
		case "collation":
			config.Collation = values[0]
		default:
			return nil, fmt.Errorf("%w: unknown option %q (known: tls, socket, collation)", errURL, key)
		}
	}
	return locked(config), nil
}

var errURL = errors.New("the URL cannot be read")

// tlsMode takes the words of other clients too.
func tlsMode(word string) string {
	switch strings.ToLower(word) {
	case "disable", "disabled":
		return "false"
	case "prefer", "preferred":
		return "preferred"
	case "require", "required":
		return "skip-verify"
	case "verify-ca", "verify-full", "verify_identity", "verify_ca":
		return "true"
	}
	return word
}

// locked turns off whatever a URL might have turned on.
func locked(config *mysql.Config) *mysql.Config {
	config.MultiStatements, config.AllowAllFiles, config.InterpolateParams, config.ParseTime = false, false, false, false
	config.AllowCleartextPasswords, config.AllowOldPasswords = false, false
	config.Params, config.Logger = nil, &mysql.NopLogger{}
	return config
}

// learn fills in what connecting tells.
func (d *database) learn(ctx context.Context) error {
	taken, err := d.Session(ctx, db.Answer)
	if err != nil {
		return err
	}
	s := taken.(*session)
	defer func() { _ = s.Close() }()
	name := dialect.MySQL
	if s.conn.maria {
		name = dialect.MariaDB
	}
	if d.dialect, err = dialect.Lookup(name); err != nil {
		return err
	}
	d.grammar = newGrammar(s.conn.maria)
	grants, err := s.grants(ctx)
	if err != nil {
		return fmt.Errorf("read what the credential may do: %w", err)
	}
	version, _, _ := strings.Cut(s.conn.version, "-")
	d.info = db.Info{Product: d.dialect.Title, Version: version, Location: driver.Mask(d.url), User: s.conn.user}
	d.info.Warnings, d.info.Superuser = own.Warnings(grants, d.name)
	return nil
}

// grants lists the rights of the user and of every role within reach.
func (s *session) grants(ctx context.Context) ([]string, error) {
	read, err := s.Own(ctx, own.Grants)
	if err != nil {
		return nil, err
	}
	lines := firstColumn(read)
	if read, err = s.Own(ctx, own.Public); err == nil {
		lines = append(lines, firstColumn(read)...)
	}
	roles, err := s.Own(ctx, own.Roles)
	if err != nil {
		return lines, nil //nolint:nilerr // servers before roles have no such table
	}
	for _, role := range firstColumn(roles) {
		if err := s.conn.exec(ctx, own.TakeRole(role)); err != nil {
			continue // not this user's to take
		}
		read, err := s.Own(ctx, own.Grants)
		if err != nil {
			return nil, err
		}
		lines = append(lines, firstColumn(read)...)
		if err := s.conn.exec(ctx, own.NoRole); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

func firstColumn(r *db.Result) []string {
	out := make([]string, 0, len(r.Rows))
	for _, row := range r.Rows {
		out = append(out, row[0].Raw())
	}
	return out
}

// connectError says why a connection was not made and what to do about it.
func connectError(url string, err error) error {
	e := &db.Error{Kind: db.ErrUnreachable, Offset: -1, Err: err}
	why, todo := err.Error(), "check host and port, and that the server runs and listens there"
	var server *mysql.MySQLError
	var dial *net.OpError
	switch {
	case errors.Is(err, errURL):
		e.Kind, todo = db.ErrAuth, "write mysql://user:password@host:3306/database, with special characters of the password percent-encoded"
	case errors.As(err, &server):
		e.Code, why = fmt.Sprint(server.Number), server.Message
		e.Kind, todo = refusedBecause(server)
	case errors.Is(err, context.Canceled):
		e.Kind, why, todo = db.ErrCanceled, "canceled", ""
	case errors.Is(err, context.DeadlineExceeded):
		why, todo = "no answer in time", "check host and port, and firewalls between"
	case errors.Is(err, mysql.ErrNoTLS):
		why, todo = "the server does not speak TLS", "enable it on the server, or use tls=false on a network you trust"
	case strings.Contains(why, "x509:"):
		why, todo = why[strings.Index(why, "x509:"):], "use tls=skip-verify only if you trust the network"
	case errors.As(err, &dial):
		why = dial.Err.Error()
	}
	e.Message = "connect to " + driver.Mask(url) + ": " + why
	if todo != "" {
		e.Message += "; " + todo
	}
	e.Message = driver.Scrub(e.Message, url)
	return e
}

func refusedBecause(server *mysql.MySQLError) (db.ErrorKind, string) {
	switch server.Number {
	case 1045, 1698:
		return db.ErrAuth, "check user and password (a user that requires TLS is refused in the same words: add tls=true)"
	case 1049, 1044:
		return db.ErrAuth, "check the database's name at the end of the URL, and that the user has a right in it"
	case 1040, 1203:
		return db.ErrResource, "close other clients, or raise max_connections"
	case 3159:
		return db.ErrAuth, "the server wants TLS: add tls=true"
	}
	if known := own.Classify(fmt.Sprint(server.Number), server.Message); known != nil {
		return known.Kind, ""
	}
	return db.ErrUnreachable, ""
}
