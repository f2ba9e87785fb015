// Package compare says whether two results are the same answer, under several
// named rules side by side, and what the difference is where they are not.
// It knows results, not databases: who runs the SQL is score's question.
//
// # Rules
//
// bird is execution accuracy as the BIRD benchmark counts it: the sets of
// rows are equal. Two empty results are equal whatever their columns.
//
// strict is the same with duplicates counted: the multisets of rows are equal.
//
// ordered is strict where the gold has no top-level ORDER BY. Where it has
// one, rows stand in the gold's order up to ties on the gold's own key, and
// where a LIMIT or OFFSET cuts a tie, any rows of that tie are right.
//
// tolerant is strict with equal numbers of columns, floats within a tolerance,
// and a date equal to its midnight, in UTC where that has a zone.
//
// superset is tolerant after choosing, for every gold column, an own column
// of the answer; the answer's further columns are free. All compare whole rows.
//
// # Values
//
//	gold                  prediction             bird, strict, ordered   tolerant, superset
//	NULL                  NULL                   same                    same
//	NULL                  ”, 0, 'None'           differ                  differ
//	1                     1.0, TRUE, 1.00        same                    same
//	1                     '1'                    differ                  differ
//	0.1+0.2               0.3                    differ                  same
//	0.1 (float)           0.1 (decimal)          differ                  same
//	0.5 (float)           0.50 (decimal)         same                    same
//	1.10 (decimal)        1.1 (decimal)          same                    same
//	1.1 (decimal)         1.1000000001 (dec.)    differ                  differ
//	2^53+1                2^53 (integer)         differ                  differ
//	2^53+1                2^53 (float)           differ                  same
//	1e12 (float)          1e12+1 (float)         differ                  differ
//	1e12 (float)          1e12+1e-4 (float)      differ                  same
//	-0.0                  0.0, 0                 same                    same
//	infinity              infinity               same                    same
//	infinity              -infinity, 1e308       differ                  differ
//	NaN                   NaN                    differ                  same
//	'a'                   'A', 'a '              differ                  differ
//	'é' (U+00E9)          'é' (e, U+0301)        differ                  differ
//	text of bytes ff 41   the same bytes         same                    same
//	'AB'                  x'4142'                differ                  differ
//	x'4142'               x'4142'                same                    same
//	date 2026-11-30       its midnight           differ                  same
//	date 2026-11-30       midnight in UTC        differ                  same
//	date 2026-11-30       '2026-11-30'           differ                  differ
//	12:00:00.50           12:00:00.5             same                    same
//	12:00+00 (zone)       13:00+01 (zone)        same                    same
//	12:00+00 (zone)       12:00 (no zone)        differ                  differ
//	JSON {"a":1,"b":2}    {"b":2.0,"a":1}        same                    same
//	list [1, NULL]        list [1.0, NULL]       same                    same
//	list [0.1+0.2]        list [0.3]             differ                  differ
//
// The left column follows Python's ==, which other evaluators use: numbers by
// their exact value, NaN never equal to anything. The tolerance is
// |a-b| <= max(1e-9, 1e-9·max(|a|,|b|)) where at least one side is a float.
// A question's own tolerance t stands in place of 1e-9 and then holds for
// decimals too; two integers are compared exactly always. Within lists,
// structs and JSON numbers are exact.
//
// # Matching within a tolerance
//
// Being within a tolerance is not transitive, so rows cannot be sorted or
// hashed into classes. Rows are first put into buckets by their exact parts;
// a bucket is split, column by column, wherever two neighbours in sorted order
// are further apart than the tolerance, which no pair can bridge. What is left
// are clusters of close rows. If all pairs of a cluster are equal, counting is
// enough; with one inexact column pairing in sorted order is optimal; the rest
// is a maximum bipartite matching (Hopcroft and Karp, 1973). A cluster with
// more than maxEdges candidate pairs is matched greedily: there an equal pair
// of results, chained closer than the tolerance over thousands of rows in two
// or more columns, may be called different, never the reverse.
package compare
