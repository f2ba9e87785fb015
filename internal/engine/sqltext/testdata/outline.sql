### one table | lite
SELECT a FROM t
### joins, commas and aliases | pg
SELECT * FROM a JOIN s.b AS x(c, d) ON a.i = x.c, c y LEFT JOIN LATERAL (SELECT 1 FROM d) z ON true, only (e)
### a CTE is no table, its shadow in its own body is | pg
WITH orders AS (SELECT * FROM orders), b AS (SELECT * FROM orders) SELECT * FROM b, orders
### recursive | pg
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r
### a CTE sees itself | lite
WITH r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r
### scope ends with its bracket | pg
SELECT * FROM (WITH x AS (SELECT 1) SELECT * FROM x) q, x
### qualified names are never CTEs | pg
WITH pg_authid AS (SELECT 1) SELECT * FROM pg_catalog.pg_authid
### alias as, alias from | pg
SELECT 1 AS as FROM secret
### keyword behind a dot | pg
SELECT t.as FROM secret t
### distinct from | pg
SELECT a IS NOT DISTINCT FROM b, c IS DISTINCT FROM d FROM t
### extract | pg
SELECT extract(year FROM x), substring(y from 2 for 3), trim(both ' ' from z) FROM t
### quoted extract is a call | pg
SELECT "extract"(year FROM x) FROM t
### table command | pg
TABLE secret
### table in a union and a CTE | pg
WITH a AS (TABLE b) SELECT 1 UNION TABLE c
### rows from | pg
SELECT * FROM ROWS FROM (pg_ls_dir('/'), f(1)) AS x(a, b)
### functions in FROM | pg
SELECT * FROM f(1) WITH ORDINALITY AS u(a, b), g(h(2)) v(x), unnest(array[1]) w
### ordinality without AS | pg
SELECT * FROM f(1) WITH ORDINALITY u(a, b)
### qualified calls | pg
SELECT pg_catalog.lower(x), a.b.c(1), count(*) OVER (PARTITION BY s.t) FROM q
### window words that are names | pg
SELECT over(1), filter(2), sum(x) FILTER (WHERE f(x)) OVER w FROM t WINDOW w AS (ORDER BY g(y))
### types are no calls | pg
SELECT CAST(x AS numeric(10,2)), y::varchar(20), z::s.t(3) FROM t
### in a table | lite
SELECT 1 WHERE 'x' IN sqlite_master AND 2 NOT IN (SELECT f(3) FROM b) AND 3 IN aux.c
### in a list | duck
SELECT 1 WHERE 2 IN l
### from first | duck
FROM o: orders, (FROM b) SELECT n: status, f(x)
### pivot | duck
PIVOT t ON x IN (1, 2) USING sum(y), max(z) GROUP BY a, b
### unpivot | duck
UNPIVOT t ON a, b INTO NAME n VALUE v
### describe | duck
DESCRIBE SELECT * FROM orders
### summarize a file | duck
SUMMARIZE 'x.csv'
### file in second place | duck
SELECT * FROM t, '/etc/passwd'
### json table | my
SELECT jt.* FROM orders, JSON_TABLE(meta, '$[*]' COLUMNS (a INT PATH '$.a')) AS jt
### index hints | my
SELECT * FROM t USE INDEX (i) JOIN u FORCE INDEX FOR JOIN (j) ON f(t.a) PROCEDURE x(1)
### dual | my
SELECT 1 FROM DUAL
### dual is a table elsewhere | pg
SELECT 1 FROM dual
### straight join | my
SELECT STRAIGHT_JOIN a FROM t STRAIGHT_JOIN u
### statement behind WITH | pg
WITH a AS (SELECT 1) DELETE FROM t
### statement in a CTE | pg
WITH a AS (UPDATE t SET x = 1 RETURNING *) SELECT * FROM a
### statement in brackets | pg
SELECT * FROM (DELETE FROM t RETURNING *) x
### statement behind UNION | pg
SELECT 1 UNION DELETE FROM t
### columns with dangerous names | lite
SELECT max(load), min(call), (update IS NULL), replace(copy, 'a', 'b') FROM t WHERE (set) > 1
### search clause | pg
WITH RECURSIVE t(id, p) AS (SELECT 1, 2 UNION ALL SELECT o.a, o.b FROM o JOIN t ON t.id = o.a) SEARCH DEPTH FIRST BY id, p SET ord, u AS (SELECT 3) SELECT * FROM t, u ORDER BY ord
### top-level clauses | pg
SELECT a, (SELECT 1 LIMIT 3) FROM t WHERE x IN (SELECT y FROM u ORDER BY z) UNION SELECT b FROM v ORDER BY 1 OFFSET 2 ROWS FETCH FIRST 3 ROWS ONLY
### brackets behind FETCH FIRST | pg
SELECT a FROM t ORDER BY 1 FETCH FIRST (f(2) + 1) ROWS ONLY
### two statements | lite
SELECT 1; ; SELECT 2
### unbalanced | lite
SELECT (1
### unbalanced the other way | lite
SELECT (1] FROM t
### no statement | lite
-- nothing
;
### half a set operation | lite
(SELECT 1 UNION)
### tablesample | pg
SELECT * FROM t TABLESAMPLE system_rows(100)
### double with | pg
WITH a AS (WITH b AS (SELECT * FROM x) SELECT * FROM b) SELECT * FROM a, b
### from in a call | pg
SELECT f(x FROM secret)
### WITH without a query | pg
WITH a AS (SELECT 1)
### FROM without a table | pg
SELECT 1 FROM
### set operation without a query | lite
SELECT 1 UNION ALL; SELECT 2
### statement behind a search clause | pg
WITH RECURSIVE r AS (SELECT 1) CYCLE n SET c USING p UPDATE t SET a = 1
### alias that is a clause elsewhere | lite
SELECT * FROM t qualify, a JOIN u offset ON 1, b window, c fetch, d
### alias that is a clause elsewhere | my
SELECT * FROM t offset, a, u qualify, b
### real clauses | pg
SELECT * FROM t WINDOW w AS (ORDER BY x), v AS (ORDER BY y) OFFSET 1 LIMIT 2
### qualify | duck
SELECT * FROM t QUALIFY row_number() OVER (ORDER BY x) = 1, 2
### text behind a schema | lite
SELECT * FROM main.'sqlite_master' WHERE 1 IN 'sqlite_schema'
### CTE named by a text | lite
WITH 'a' AS (SELECT 1) SELECT * FROM secret
### functions named like infix words | pg
SELECT xor(1), zone(2), a AT TIME ZONE ('utc'), b SIMILAR TO ('x'), columns(3), offset(4), (regexp(5)), NOT rlike(6) FROM t WHERE qualify(7) AND x NOT IN (1)
### infix words before brackets | my
SELECT a DIV (2) XOR (3), b REGEXP ('x'), c NOT RLIKE ('y'), MATCH (d) AGAINST ('e') FROM t
### set operation that is an alias | my
SELECT 1 FROM t WHERE x IN (SELECT y FROM t intersect, mysql.user)
