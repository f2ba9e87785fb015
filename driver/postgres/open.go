// Package postgres opens PostgreSQL databases over the extended protocol
// alone: a text a model wrote never reaches the server by a path that takes
// two statements.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sqbyl/sqbyl/driver"
	"github.com/sqbyl/sqbyl/driver/internal/pool"
	"github.com/sqbyl/sqbyl/internal/engine/db"
	"github.com/sqbyl/sqbyl/internal/engine/dialect"
	own "github.com/sqbyl/sqbyl/internal/engine/dialect/postgres"
)

func init() {
	driver.Register(dialect.Postgres, Open)
	driver.RegisterGrammar(dialect.Postgres, newGrammar)
}

// Open connects, learns what the credential may do and keeps the connection
// for the first session.
func Open(ctx context.Context, url string, o driver.Options) (db.Database, error) {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return nil, connectError(url, err)
	}
	d, err := dialect.Lookup(dialect.Postgres)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["client_encoding"] = "UTF8"
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "sqbyl"
	}
	if o.ConnectTimeout == 0 {
		o.ConnectTimeout = 10 * time.Second
	}
	if o.Connections == 0 {
		o.Connections = max(4, runtime.GOMAXPROCS(0))
	}
	database := &database{
		dialect: d, config: config, url: url, options: o, grammar: newGrammar(),
		pool: pool.New(o.Connections, drop), types: map[uint32]typeName{},
	}
	if err := database.learn(ctx); err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return database, nil
}

// learn fills in what connecting tells.
func (d *database) learn(ctx context.Context) error {
	taken, err := d.Session(ctx, db.Answer)
	if err != nil {
		return err
	}
	defer func() { _ = taken.Close() }()
	version, err := taken.Own(ctx, own.Version)
	if err != nil {
		return fmt.Errorf("read the server's version: %w", err)
	}
	if err := taken.(*session).resolve(ctx, commonTypes); err != nil {
		return fmt.Errorf("read the server's types: %w", err)
	}
	privileges, err := taken.Own(ctx, own.Privileges)
	if err != nil {
		return fmt.Errorf("read what the credential may do: %w", err)
	}
	row := version.Rows[0]
	number, _, _ := strings.Cut(row[0].Raw(), " ")
	var schemas []string
	for _, f := range row[4].Fields() {
		schemas = append(schemas, f.Value.Raw())
	}
	d.info = db.Info{
		Product: d.dialect.Title, Version: number, Location: driver.Mask(d.url), User: row[1].Raw(),
		Warnings: own.Warnings(privileges.Rows, row[2].Raw(), schemas),
	}
	for _, found := range privileges.Rows {
		d.info.Superuser = d.info.Superuser || found[0].Raw() == "superuser"
	}
	return nil
}

// connectError says why a connection was not made and what to do about it.
func connectError(url string, err error) error {
	e := &db.Error{Kind: db.ErrUnreachable, Offset: -1, Err: err}
	why, todo := err.Error(), "check host and port, and that the server runs and listens there"
	var server *pgconn.PgError
	var parse *pgconn.ParseConfigError
	switch {
	case errors.As(err, &parse):
		why, todo = "the URL cannot be read", "write postgres://user:password@host:5432/database, with special characters of the password percent-encoded"
		e.Kind = db.ErrAuth
	case errors.As(err, &server):
		e.Code, why = server.Code, server.Message
		e.Kind, todo = refusedBecause(server)
	case errors.Is(err, context.Canceled):
		e.Kind, why, todo = db.ErrCanceled, "canceled", ""
	case errors.Is(err, context.DeadlineExceeded):
		why, todo = "no answer in time", "check host and port, and firewalls between"
	case strings.Contains(why, "server refused TLS connection"):
		why, todo = "the server does not speak TLS", "enable ssl on the server, or use sslmode=disable on a network you trust"
	case strings.Contains(why, "x509:"):
		why, todo = why[strings.Index(why, "x509:"):], "name the authority that signed the server's certificate with sslrootcert=FILE"
	default:
		why = innermost(err)
	}
	e.Message = "connect to " + driver.Mask(url) + ": " + why
	if todo != "" {
		e.Message += "; " + todo
	}
	e.Message = driver.Scrub(e.Message, url)
	return e
}

func refusedBecause(server *pgconn.PgError) (db.ErrorKind, string) {
	switch server.Code {
	case "28P01":
		return db.ErrAuth, "check user and password"
	case "3D000":
		return db.ErrAuth, "check the database's name at the end of the URL"
	case "28000":
		if strings.Contains(server.Message, "no encryption") {
			return db.ErrAuth, "the server wants TLS: add sslmode=require (or ask its administrator for a rule in pg_hba.conf)"
		}
		return db.ErrAuth, "check the user, and pg_hba.conf on the server"
	case "42501":
		return db.ErrPermission, "GRANT CONNECT ON DATABASE … TO the user"
	case "53300":
		return db.ErrResource, "close other clients, or raise max_connections"
	case "57P03":
		return db.ErrUnreachable, "wait until the server has started"
	}
	return db.ErrUnreachable, ""
}

// innermost is the cause without the wrapping, which repeats host, user and
// database; several attempts with one cause have it once.
func innermost(err error) string {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var causes []string
		for _, e := range several.Unwrap() {
			if cause := innermost(e); !slices.Contains(causes, cause) {
				causes = append(causes, cause)
			}
		}
		return strings.Join(causes, "; ")
	}
	if next := errors.Unwrap(err); next != nil {
		return innermost(next)
	}
	return err.Error()
}
