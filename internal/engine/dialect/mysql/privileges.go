package mysql

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// The statements that tell what a user may do. A role that was granted is
// idle until SET ROLE, which the user may do at any time.
var (
	Grants  = db.OwnSQL("SHOW GRANTS")
	Roles   = db.OwnSQL("SELECT DISTINCT role_name FROM information_schema.applicable_roles ORDER BY 1")
	NoRole  = db.OwnSQL("SET ROLE NONE")
	Public  = db.OwnSQL("SHOW GRANTS FOR PUBLIC")
	Release = db.OwnSQL("DO RELEASE_ALL_LOCKS()")
)

// TakeRole makes a role's rights the session's.
func TakeRole(role string) db.Own { return db.OwnSQL("SET ROLE " + Quote(role)) }

var grant = regexp.MustCompile(`^GRANT (.+?) ON (?:(FUNCTION|PROCEDURE|PACKAGE|PACKAGE BODY) )?(\S+) TO (.+?)(?: IDENTIFIED .*?)?(?: REQUIRE .*?)?( WITH .*)?$`)

// reading are privileges that change nothing.
var reading = map[string]bool{"SELECT": true, "USAGE": true, "SHOW VIEW": true, "SHOW DATABASES": true, "PROCESS": true}

// Warnings turns the lines of SHOW GRANTS into what a person should know.
// super says that nothing is closed to the credential.
func Warnings(lines []string, database string) (warnings []db.Warning, super bool) {
	seen := map[string]bool{}
	for _, line := range lines {
		m := grant.FindStringSubmatch(line)
		if m == nil || seen[line] {
			continue
		}
		seen[line] = true
		kind, object, who := m[2], m[3], m[4]
		var writes []string
		for _, p := range privileges(m[1]) {
			name, _, _ := strings.Cut(p, " (")
			if !reading[strings.ToUpper(name)] {
				writes = append(writes, p)
			}
			if object == "*.*" && (name == "ALL PRIVILEGES" || name == "SUPER") {
				super = true
			}
		}
		if strings.Contains(m[5], "GRANT OPTION") {
			writes = append(writes, "GRANT OPTION")
		}
		if len(writes) == 0 {
			continue
		}
		w := db.Warning{
			Message: fmt.Sprintf("%s has %s on %s", strings.ReplaceAll(who, "`", ""), strings.Join(writes, ", "), strings.ReplaceAll(object, "`", "")),
			Remedy:  []string{fmt.Sprintf("REVOKE %s ON %s FROM %s", strings.Join(writes, ", "), strings.TrimSpace(kind+" "+object), who)},
		}
		if strings.HasPrefix(m[1], "ALL PRIVILEGES") {
			w.Remedy = readerUser(database)
		}
		warnings = append(warnings, w)
	}
	return warnings, super
}

// privileges parts a list at the commas outside brackets.
func privileges(list string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(list[start:i]))
				start = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(list[start:]))
}

// readerUser are the statements that make a user who may only read.
func readerUser(database string) []string {
	on := "*.*"
	if database != "" {
		on = Quote(database) + ".*"
	}
	return []string{
		"CREATE USER 'sqbyl_reader'@'%' IDENTIFIED BY '…'",
		"GRANT SELECT, SHOW VIEW ON " + on + " TO 'sqbyl_reader'@'%'",
	}
}
