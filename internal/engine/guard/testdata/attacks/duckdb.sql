### environment of the process | function function
SELECT getenv('HOME')
### call of a macro in a schema | function qualified_function
SELECT evil.sum(1)
### method call on a text | function function
SELECT ('HOME').getenv()
### call inside a lambda | function function
SELECT list_transform(['HOME'], lambda v : getenv(v))
### sequence in a window | function function
SELECT nextval('s') OVER () FROM t
### URL as a name | table file_table
SELECT * FROM t, "s3://bucket/x.parquet"
### file without quotes | table file_table
SELECT a FROM secrets.csv
### file by another system's path | table file_table
FROM "C:\Users\x\secret"
### other databases | function table_function
SELECT * FROM t POSITIONAL JOIN postgres_scan('host=127.0.0.1', 'public', 'users')
### SQL in a text | function table_function
FROM query($$SELECT 42$$)
### which credentials | function table_function
SELECT name FROM which_secret('s3://bucket', 's3')
### catalogue by its full name | table hidden_schema
SELECT * FROM system.information_schema.columns
### catalogue as PostgreSQL names it | table hidden_schema
FROM pg_catalog.pg_settings SELECT name
### session variable | function function
SELECT * FROM t WHERE id = getvariable('x')
### setting as a function | function function
SELECT current_setting('home_directory')
### parameter by name | lexer parameter
SELECT $secret
### parameter by place | lexer parameter
SELECT ?
### file written in a CTE | lexer misplaced_statement
WITH x AS MATERIALIZED (COPY t TO '/tmp/sqbyl-attack/own.csv') SELECT 1
### file written in FROM | lexer misplaced_statement
FROM (INSERT INTO t VALUES (1) RETURNING *)
### columns taken from the data, inside | lexer pivot_without_in
SELECT * FROM (PIVOT t ON id USING max(id))
### INTO without UNPIVOT | lexer into
SELECT 1 INTO NAME x
### whole database read in | lexer first_keyword
IMPORT DATABASE '/tmp/sqbyl-attack'
### comment on a table | lexer first_keyword
COMMENT ON TABLE t IS 'x'
### log checkpoint | lexer first_keyword
CHECKPOINT
### list of everything | lexer first_keyword
SHOW ALL TABLES
### setting put back | lexer first_keyword
RESET memory_limit
### text that goes on with escapes | lexer continued_text
SELECT E'a'
'\'; DROP TABLE t; --'
### a million rows by function | function table_function
SELECT * FROM repeat('x', 100000000000)
### name in code points | lexer unicode_name
SELECT * FROM U&"duckdb\005fsettings"
### a list without end | session resource
SELECT list_sum(list_transform(array_fill, x -> x)) FROM (SELECT string_split(repeat('a,', 900000000), ',') AS array_fill)
### tables on show inside a query | lexer misplaced_statement
SELECT * FROM (SHOW ALL TABLES)
### procedure inside FROM | lexer misplaced_statement
SELECT * FROM (CALL duckdb_functions())
