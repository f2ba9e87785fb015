### quoted function name | function function
SELECT "load_extension"('x.so')
### function name in brackets | function function
SELECT [load_extension]('x.so', 'init') FROM t
### catalogue behind IN | table hidden_table
SELECT 1 WHERE 'a' NOT IN main.sqlite_schema
### raw pages | table hidden_table
SELECT data FROM sqlite_dbpage WHERE pgno = 1
### catalogue in a bracketed join | table hidden_schema
SELECT * FROM (t JOIN (t2 CROSS JOIN temp.sqlite_temp_schema))
### catalogue behind a CTE of its name | table hidden_table
WITH sqlite_schema AS (SELECT * FROM main.sqlite_schema) SELECT * FROM sqlite_schema
### catalogue in third place | table hidden_table
SELECT * FROM t, json_each('[1]') AS j, "sqlite_stat1"
### catalogue written as a text | table hidden_table
SELECT * FROM 'sqlite_schema'
### bytecode of a write | function table_function
SELECT * FROM bytecode('DELETE FROM t')
### unbound parameter | lexer parameter
SELECT * FROM t WHERE id = ?1
### parameter with brackets | lexer parameter
SELECT $x::y(1)
### backslash that escapes nothing | lexer second_statement
SELECT 'a\'; DELETE FROM t; SELECT 'b'
### bracket name that hides a quote | lexer second_statement
SELECT [it's] FROM t; DELETE FROM t; SELECT 'x'
### comment that others nest | lexer nested_comment
SELECT 1 /* /* */ ; DELETE FROM t /* */ */
### comment without an end | lexer unterminated
SELECT 1 /* DELETE FROM t
### letters behind a number | lexer number
SELECT 1UNION SELECT sql FROM t
### NUL cuts the text for C | size control_character
SELECT 1 <<1 \x00>>; DELETE FROM t
### byte order mark | lexer character
<<1 \ufeff>>DELETE FROM t
### no-break space | lexer character
SELECT<<1 \u00a0>>* FROM t
### text that shows right to left | size control_character
SELECT '<<1 \u202e>>txet' FROM t
### bytes that are no text | size encoding
SELECT '<<1 \xff>>'
### brackets without end | size depth
SELECT <<300 (>>1<<300 )>>
### a tower of operators | size chain
SELECT 1<<3000  + 1>>
### a tower of NOT | size chain
SELECT <<3000 NOT >>1
### a tower of UNION | size chain
SELECT 1<<2000  UNION ALL SELECT 1>>
### a megabyte of values | size bytes
SELECT * FROM t WHERE id IN (1<<200000 ,1234>>)
### a hundred thousand tokens | size tokens
SELECT 1<<50000 ,1>>
### write that returns rows in EXISTS | lexer misplaced_statement
SELECT EXISTS (UPDATE t SET id = 0 RETURNING 1)
### write behind a set operation | lexer misplaced_statement
VALUES (1) EXCEPT DELETE FROM t
### index rebuilt | lexer first_keyword
REINDEX t
### tokenizer by address | function function
SELECT fts3_tokenizer('simple', x'4141414141414141')
### offset of a record in the file | function function
SELECT sqlite_offset(id) FROM t
### endless table function | session timeout
SELECT count(*) FROM generate_series(1, 9000000000000)
### joins without end | session timeout
SELECT count(*) FROM t a, t b, t c, t d, t e, t f, t g, t h
