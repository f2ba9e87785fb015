package mysql

import (
	"regexp"
	"strings"

	"github.com/sqbyl/sqbyl/internal/engine/db"
)

// numbers are the errors that decide what to do next.
var numbers = map[string]db.ErrorKind{
	"1146": db.ErrUnknownTable, "1051": db.ErrUnknownTable, "1109": db.ErrUnknownTable, "4161": db.ErrType,
	"1054": db.ErrUnknownColumn, "1305": db.ErrUnknownFunction, "1128": db.ErrUnknownFunction, "1630": db.ErrUnknownFunction,
	"1052": db.ErrAmbiguous, "1066": db.ErrAmbiguous, "1060": db.ErrAmbiguous,
	"1064": db.ErrSyntax, "1065": db.ErrSyntax, "1149": db.ErrSyntax, "1235": db.ErrSyntax, "1582": db.ErrType, "1583": db.ErrType,
	"1055": db.ErrType, "1056": db.ErrType, "1111": db.ErrType, "1140": db.ErrType, "1222": db.ErrType, "1241": db.ErrType, "1242": db.ErrType,
	"1292": db.ErrType, "1365": db.ErrType, "1366": db.ErrType, "1267": db.ErrType, "1271": db.ErrType, "1690": db.ErrType, "1139": db.ErrType,
	"3141": db.ErrType, "4038": db.ErrType, "4037": db.ErrType, "4074": db.ErrType,
	"1142": db.ErrPermission, "1143": db.ErrPermission, "1227": db.ErrPermission, "1370": db.ErrPermission, "1345": db.ErrPermission,
	"1045": db.ErrAuth, "1044": db.ErrAuth, "1049": db.ErrAuth, "1698": db.ErrAuth, "1251": db.ErrAuth, "3159": db.ErrAuth,
	"1792": db.ErrReadOnly, "1290": db.ErrReadOnly, "1036": db.ErrReadOnly,
	"1969": db.ErrTimeout, "3024": db.ErrTimeout, "1317": db.ErrCanceled, "1028": db.ErrResource,
	"1205": db.ErrLocked, "1213": db.ErrLocked, "1099": db.ErrLocked,
	"1021": db.ErrResource, "1037": db.ErrResource, "1038": db.ErrResource, "1040": db.ErrResource, "1041": db.ErrResource, "1104": db.ErrResource,
	"1114": db.ErrResource, "1116": db.ErrResource, "1153": db.ErrResource, "1203": db.ErrResource, "1226": db.ErrResource, "1301": db.ErrResource,
	"1436": db.ErrResource, "3636": db.ErrResource, "1119": db.ErrResource,
	"1053": db.ErrUnreachable, "1077": db.ErrUnreachable, "1080": db.ErrUnreachable, "1927": db.ErrUnreachable, "2006": db.ErrUnreachable, "2013": db.ErrUnreachable,
}

var about = map[db.ErrorKind]*regexp.Regexp{
	db.ErrUnknownTable:    regexp.MustCompile(`(?:T|t)able '(.+?)'`),
	db.ErrUnknownColumn:   regexp.MustCompile(`Unknown column '(.+?)'`),
	db.ErrUnknownFunction: regexp.MustCompile(`FUNCTION (\S+) does not exist`),
	db.ErrAmbiguous:       regexp.MustCompile(`(?:Column|table/alias:|column name) '(.+?)'`),
	db.ErrPermission:      regexp.MustCompile("for (?:table|column|routine) [`']([^`']+(?:`\\.`[^`']+)?)[`']"),
	db.ErrType:            regexp.MustCompile(`native function '(.+?)'`),
}

// Classify tells an error of MySQL or MariaDB apart by its number.
func Classify(code, message string) *db.Error {
	kind, ok := numbers[code]
	if !ok {
		return nil
	}
	e := &db.Error{Kind: kind, Code: code, Message: message, Offset: -1}
	if pattern := about[kind]; pattern != nil {
		if m := pattern.FindStringSubmatch(message); m != nil {
			e.Name = strings.ReplaceAll(m[1], "`", "")
		}
	}
	return e
}

var near = regexp.MustCompile(`(?s)near '(.*)' at line (\d+)`)

// Offset finds the place that a syntax error speaks of, -1 when it is not to
// be told.
func Offset(sql, message string) int {
	m := near.FindStringSubmatch(message)
	if m == nil {
		return -1
	}
	if m[1] == "" {
		return len(sql)
	}
	return strings.LastIndex(sql, m[1])
}
