package mysql

import (
	_ "embed"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// The lists are written by hand: the catalogue of these engines does not tell
// which of their functions do more than compute. A test asks the live server
// whether it knows every name.
var (
	//go:embed functions.txt
	sharedList string
	//go:embed functions_mysql.txt
	mysqlList string
	//go:embed functions_mariadb.txt
	mariaList string
)

// Probe calls a function of the lists without arguments, to learn whether
// there is one of this name.
func Probe(name string) db.Own { return db.OwnSQL("SELECT " + name + "()") }
