package db

import "fmt"

// ErrorKind says what went wrong in a database, as far as it decides what to
// do next.
type ErrorKind uint8

// The kinds of error.
const (
	ErrUnknown ErrorKind = iota
	ErrUnknownTable
	ErrUnknownColumn // Candidates may name near ones
	ErrUnknownFunction
	ErrAmbiguous
	ErrType
	ErrSyntax // Position may be known
	ErrTimeout
	ErrCanceled
	ErrPermission
	ErrResource // memory, disk, a limit of the engine
	ErrLocked
	ErrUnreachable // no connection, or it broke
	ErrAuth        // wrong password, unknown user or database
	ErrNotADatabase
	ErrReadOnly // the engine stopped a write
	ErrTooBig   // the result is over the caps
)

var errorKindNames = [...]string{"unknown", "unknown_table", "unknown_column", "unknown_function", "ambiguous", "type", "syntax", "timeout", "canceled", "permission", "resource", "locked", "unreachable", "auth", "not_a_database", "read_only", "too_big"}

// String is the kind's name in JSON documents and traces.
func (k ErrorKind) String() string {
	if int(k) < len(errorKindNames) {
		return errorKindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Error is a database's "no", in the engine's words.
type Error struct {
	Kind       ErrorKind
	Code       string // SQLSTATE, error number or result code
	Message    string // without passwords
	Name       string // the table, column or function it is about
	Candidates []string
	Offset     int // byte offset in the statement, -1 unknown
	Err        error
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Err }
