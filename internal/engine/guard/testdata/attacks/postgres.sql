### operator somebody made | function operator
SELECT @@@! '/etc/hostname'
### operator by its full name | function function
SELECT 1 OPERATOR(public.+) 2
### function as an attribute | prepare function
SELECT (ROW('/etc/hostname')::ct).slurp
### quoted function name | function function
SELECT "pg_read_file"('/etc/hostname')
### function of the catalogue's schema | function qualified_function
SELECT PG_CATALOG . PG_LS_LOGDIR()
### function whose name differs by case | function function
SELECT "LOWER"('x')
### function named like a window word | function function
SELECT over(1), filter(2)
### name in code points | lexer unicode_name
SELECT U&"pg\005fsleep"(1)
### table named in code points | lexer unicode_name
SELECT * FROM U&"p\0067_authid"
### text that goes on with escapes | lexer continued_text
SELECT E'a'
'\'; DROP TABLE t; --'
### number that touches a keyword | lexer number
SELECT 1INTO t9 FROM t
### new table | lexer into
SELECT * INTO UNLOGGED t9 FROM t
### keyword behind a dot | table hidden_table
SELECT t.as FROM pg_authid t
### alias that is a keyword | table hidden_table
SELECT 1 AS as FROM pg_shadow
### alias from, then FROM | table hidden_table
SELECT 1 AS from FROM pg_user_mapping
### not distinct, then FROM | table hidden_table
SELECT a.not distinct FROM pg_stat_activity a
### only in brackets | table hidden_table
SELECT * FROM ONLY (pg_largeobject)
### typed function with FROM inside a query | table hidden_table
SELECT extract(year FROM (SELECT valuntil FROM pg_roles LIMIT 1))
### carriage return ends the comment | lexer into
SELECT 1 -- <<1 \r>>INTO t9
### hint that sets | lexer executable_comment
/*+ Set(statement_timeout 0) */ SELECT 1
### backslash command | lexer character
SELECT 1 \g /tmp/sqbyl-attack/out
### parameter | lexer parameter
SELECT $1
### letters behind a parameter | lexer number
SELECT $1INTO
### privileges on show | table hidden_schema
SELECT * FROM information_schema.role_table_grants
### key of the server | function function
SELECT current_setting('ssl_key_file')
### table through its name in a text | function function
SELECT table_to_xml('pg_authid', true, false, '')
### snapshot kept | function function
SELECT pg_export_snapshot()
### waiting by another name | function function
SELECT pg_sleep_for('1 hour')
### sampling by an extension | function function
SELECT * FROM t TABLESAMPLE system_rows(100)
### function in a table of XML | function function
SELECT * FROM xmltable('/a' PASSING query_to_xml('SELECT 1', true, true, '') COLUMNS a text)
### cursor that outlives | lexer first_keyword
DECLARE c CURSOR WITH HOLD FOR SELECT * FROM t
### view stored anew | lexer first_keyword
REFRESH MATERIALIZED VIEW mv
### channel | lexer first_keyword
LISTEN c
### merge in a CTE | lexer misplaced_statement
WITH m AS (MERGE INTO t USING t2 ON t.id = t2.id WHEN MATCHED THEN DELETE RETURNING *) SELECT * FROM m
### merge | lexer first_keyword
MERGE INTO t USING t2 ON t.id = t2.id WHEN MATCHED THEN DELETE
### write after a search clause | lexer misplaced_statement
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SEARCH DEPTH FIRST BY n SET o DELETE FROM t
### rows that never end | session timeout
SELECT count(*) FROM generate_series(1, 1000000000000)
### file read as an attribute of a text | function attribute
SELECT ('/etc/hostname'::text).pg_read_file
### attribute of a value in FROM | function attribute
SELECT x."pg_read_file" FROM unnest(ARRAY['/etc/hostname']) x
### attribute of an attribute's result | function attribute
SELECT ('/etc/hostname'::text) . /* c */ PG_STAT_FILE.size FROM t ORDER BY 1
### connection to another server as an attribute | function attribute
SELECT ('dbname=shop'::text).dblink_connect
### sequence as an attribute, in ORDER BY | function attribute
SELECT 1 FROM t ORDER BY (ARRAY['s'::regclass])[1].nextval
### file read inside XML | function function
SELECT xmlelement(name a, xmlattributes(pg_read_file('/etc/hostname') AS b))
### keyword of the grammar as a quoted name | function function
SELECT "xmlelement"(1)
### file read passed to a table of XML | function function
SELECT * FROM xmltable('/r' PASSING query_to_xml('SELECT 1', true, true, '') COLUMNS a text PATH pg_read_file('x'))
