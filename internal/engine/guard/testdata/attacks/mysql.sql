### hint that sets | lexer executable_comment
SELECT /*+ SET_VAR(sql_safe_updates = 0) */ 1
### system variable | lexer parameter
SELECT @@datadir
### dollar tag that is a name elsewhere | lexer dollar
SELECT $tag$ ; DROP TABLE t; $tag$
### function in ODBC braces | lexer character
SELECT {fn concat('a', sleep(9))}
### escaped backslash before the quote | lexer second_statement
SELECT 'a\\'; DROP TABLE t; -- '
### two dashes that are minus minus | lexer second_statement
SELECT 1--1;DROP TABLE t
### quote in a hash comment | lexer second_statement
SELECT 1 # it's
; DELETE FROM t; SELECT 'x'
### backtick inside a name | lexer second_statement
SELECT 1 AS `a``b`; DELETE FROM t
### function of a schema | function qualified_function
SELECT other.audit(1)
### function of the system schema | function qualified_function
SELECT sys.ps_thread_id(1)
### quoted schema and function | function qualified_function
SELECT `other`.`audit`(1)
### shell by a plugin | function function
SELECT sys_exec('id')
### function inside a table function | function function
SELECT * FROM JSON_TABLE(sys_eval('id'), '$' COLUMNS (a INT PATH '$')) AS j
### waiting for a position | function function
SELECT MASTER_POS_WAIT('x', 4, 9)
### counter of the session set | function function
SELECT LAST_INSERT_ID(99)
### accounts | table hidden_schema
SELECT user, authentication_string FROM mysql.user
### threads behind a partition | table hidden_schema
SELECT * FROM t PARTITION (p0), performance_schema.threads
### processes | table hidden_schema
SELECT info FROM `information_schema`.`processlist`
### shared lock | lexer lock
SELECT * FROM t LOCK IN SHARE MODE
### queue lock | lexer lock
SELECT * FROM t FOR UPDATE SKIP LOCKED
### sequence looked at | lexer sequence
SELECT PREVIOUS VALUE FOR s
### name that begins with a digit | lexer number
SELECT 1a FROM t
### null by backslash | lexer character
SELECT \N
### plugin | lexer first_keyword
INSTALL PLUGIN x SONAME 'y.so'
### distributed transaction | lexer first_keyword
XA START 'x'
### binary log event | lexer first_keyword
BINLOG 'AAAA'
### logs thrown away | lexer first_keyword
PURGE BINARY LOGS BEFORE NOW()
### grants on show | lexer first_keyword
SHOW GRANTS
### error raised | lexer first_keyword
SIGNAL SQLSTATE '45000'
### write behind a CTE in brackets | lexer misplaced_statement
WITH a AS ((SELECT 1) UNION DELETE FROM t) SELECT * FROM a
### joins without end | session timeout
SELECT COUNT(*) FROM t a, t b, t c, t d, t e, t f, t g, t h
### space that makes a stored function of a built-in | function function_spelling
SELECT COUNT (id) FROM t
### quotes that make a stored function of a built-in | function function_spelling
SELECT `sum`(id) FROM t
### name of four parts | table name
SELECT * FROM def.mysql.user.x
### function named like the end of MEMBER OF | function function
SELECT of(1), `member` FROM t
