### columns by pattern | duck
SELECT COLUMNS('a.*'), min(COLUMNS(* EXCLUDE (id))), * REPLACE (lower(a) AS a) FROM t
### sampling that repeats | duck
SELECT * FROM t TABLESAMPLE reservoir(20%) REPEATABLE (100)
### sampling that repeats | pg
SELECT * FROM t TABLESAMPLE BERNOULLI (10) REPEATABLE (1)
### full text | my
SELECT a FROM t WHERE MATCH(a, b) AGAINST ('x' IN BOOLEAN MODE)
### names that are keywords elsewhere | lite
SELECT t."order", max(load) AS call, min(t.copy), avg(comment) FROM t WHERE offset > 1 AND value IN (1, 2) GROUP BY t."order"
### names that are keywords elsewhere | pg
SELECT name, value, key, t.update, t.into, t.select FROM t WHERE share = 'x' AND load > 1
### functions that are statements elsewhere | my
SELECT REPLACE(a, 'x', 'y'), INSERT(a, 1, 2, 'z'), TRUNCATE(b, 2), LEFT(a, 3), RIGHT(a, 3), IF(b > 1, 'p', 'q'), MOD(b, 2) FROM t
### dates | my
SELECT DATE_ADD(d, INTERVAL 1 DAY), EXTRACT(YEAR FROM d), CAST(d AS DATE), CONVERT(a, CHAR(10)), TIMESTAMPDIFF(DAY, d, NOW()), DATE '2020-01-01' FROM t
### windows | my
SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC), LAG(b, 1) OVER w, SUM(b) OVER (ORDER BY d ROWS UNBOUNDED PRECEDING) FROM t WINDOW w AS (ORDER BY d)
### json | my
SELECT meta->>'$.a', JSON_EXTRACT(meta, '$.b') FROM t
### dates | pg
SELECT date_trunc('month', d), extract(epoch FROM d - now()), d AT TIME ZONE 'UTC', to_char(d, 'YYYY-MM'), d::date, interval '1 day' * 2, age(d), make_date(2020, 1, 1) FROM t
### arrays and json | pg
SELECT array_agg(a ORDER BY b), unnest(ARRAY[1, 2]), x[1:2], j->'a'->>'b', jsonb_build_object('a', 1), a = ANY (ARRAY[1, 2]) FROM t, jsonb_array_elements(j) AS e(v), generate_series(1, 3) WITH ORDINALITY AS g(n, i)
### casts and lists | pg
SELECT coalesce(a, 0), nullif(b, ''), greatest(1, 2), cast(a AS numeric(10, 2)), round(a::numeric, 2), substring(b FROM 2 FOR 3), position('x' IN b), overlay(b PLACING 'y' FROM 1), trim(BOTH ' ' FROM b), b SIMILAR TO 'x%', (a, b) OVERLAPS (c, d) FROM t
### set operations | pg
(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL (SELECT b FROM u) INTERSECT SELECT c FROM v ORDER BY 1 NULLS LAST LIMIT 3 OFFSET 1
### strftime and windows | lite
SELECT strftime('%Y', d), date(d, 'start of month'), julianday('now') - julianday(d), printf('%.2f', a), iif(a > 1, 'x', 'y'), group_concat(b, ','), total(a), json_extract(j, '$.x'), ntile(4) OVER (ORDER BY a) FROM t, json_each(t.j) AS e
### bird style | lite
SELECT CAST(SUM(IIF(T2.`Charter School (Y/N)` = 1, 1, 0)) AS REAL) * 100 / COUNT(T1.CDSCode), T1.`Free Meal Count (K-12)` FROM frpm AS T1 INNER JOIN schools AS T2 ON T1.CDSCode = T2.CDSCode WHERE SUBSTR(T2.OpenDate, 1, 4) BETWEEN '1990' AND '2000' AND T1.x LIKE '%a_b%' ESCAPE '\'
### lists and structs | duck
SELECT [1, 2][1], {'a': 1}.a, list_filter([1, 2], x -> x > 1), struct_pack(k := 1), MAP {'a': 1}['a'], x.y.z, unnest([1, 2]), array_agg(a)[1:2], string_split(b, ',')[1], date_diff('day', d, current_date) FROM t
### pivot and unpivot | duck
PIVOT t ON a IN ('x', 'y') USING sum(b) AS s, count(*) GROUP BY c ORDER BY c LIMIT 5
### unpivot | duck
UNPIVOT t ON a, b INTO NAME k VALUE v
### asof | duck
SELECT * FROM a ASOF LEFT JOIN b ON a.k = b.k AND a.t >= b.t SEMI JOIN c USING (k) QUALIFY row_number() OVER (PARTITION BY a.k ORDER BY a.t) = 1
### group by all | duck
SELECT a, count(*), sum(b) FILTER (WHERE c) FROM t GROUP BY ALL ORDER BY ALL USING SAMPLE 10%
### question marks in text and comments | lite
SELECT 'what? :name @x $1' /* ? :a */ FROM t -- ?
### unicode | pg
SELECT "größe", naïve, '日本語', 'é' FROM "таблица"
### attributes of rows and calls | pg
SELECT (e).key, (e).value, o.name, o.version, o.lower, "o"."Owner", (o.address).city FROM o, LATERAL (SELECT jsonb_each(o.meta) AS e) x ORDER BY o.setval, o.count
### xml | pg
SELECT xmlelement(name a, xmlattributes(t.b AS c), t.d), xmlforest(t.a, t.b AS x), xmlconcat('<a/>'::xml, '<b/>'::xml), xmlpi(name php), xmlroot('<a/>'::xml, version '1.0'), xmlserialize(content '<a/>'::xml as text), xmlparse(document '<a/>'), xmlexists('/a' PASSING BY REF t.doc), xmlagg(xmlelement(name c, t.a) ORDER BY t.b) FROM t GROUP BY 1
### table of xml | pg
SELECT x.* FROM t, xmltable(xmlnamespaces('http://x' AS n), '/n:r/a' PASSING t.doc COLUMNS id int PATH '@id', k FOR ORDINALITY, v text PATH 'v' DEFAULT 'none') AS x
### values from json as the standard writes them | pg
SELECT json_value(j, '$.a' RETURNING int DEFAULT 0 ON EMPTY), json_query(j, '$.b' WITH WRAPPER), json_exists(j, '$.c'), json_object('a' VALUE 1 ABSENT ON NULL), json_array(1, 2), json_objectagg(k : v), json_arrayagg(v ORDER BY v) FROM t
### table of json as the standard writes it | pg
SELECT x.* FROM t, JSON_TABLE(t.j, '$[*]' COLUMNS (id FOR ORDINALITY, a int PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (c text PATH '$'))) AS x
### value in a json array | my
SELECT a FROM t WHERE a MEMBER OF (j->'$.tags') AND 'x' member of('["x"]')
