package sqlite

import (
	"context"

	"github.com/ncruces/go-sqlite3"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// Unguarded runs text that no guard has seen, to test what the engine's own
// layers stop by themselves.
func Unguarded(ctx context.Context, s db.Session, sql string) error {
	own := s.(*session)
	return own.compile(ctx, sql, nil, 0, func(_ *conn, stmt *sqlite3.Stmt) error {
		_, err := read(stmt, db.AnswerCaps)
		return err
	})
}
