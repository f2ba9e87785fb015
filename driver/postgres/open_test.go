package postgres_test

import (
	"github.com/sqbyl/sqbyl/internal/testkit/databases"

	_ "github.com/sqbyl/sqbyl/driver/postgres"
)

var (
	open  = databases.Open
	begin = databases.Begin
	check = databases.Check
	query = databases.Query
)
