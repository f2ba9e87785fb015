### short | lite
SELECT  a ,b FROM t
### clauses | lite
SELECT a, b, SUM(c) AS total FROM orders o LEFT OUTER JOIN customers c ON c.id = o.customer_id WHERE o.status IN ('a', 'b') AND o.x BETWEEN 1 AND 2 OR y GROUP BY a, b HAVING SUM(c) > 3 ORDER BY total DESC LIMIT 5;
### CTEs | pg
WITH a AS (SELECT x FROM t WHERE y = 1 AND z = 2 AND some_long_name = 'value'), b AS (SELECT 1) SELECT * FROM a, b WHERE a.x = (SELECT MAX(x) FROM a WHERE y IS DISTINCT FROM z)
### comments stay | pg
SELECT a, -- the first
 b /* the second */ FROM t -- the table
### set operations | lite
SELECT a_column_of_some_length FROM table_one UNION ALL SELECT another_column FROM table_two EXCEPT SELECT 1
### texts that would join | pg
SELECT a_column_of_some_length, 'a text of some length' 'and another text of some length' FROM t
### pieces that touch | duck
SELECT a::int,x[1:2],-1,t.*,{'a':1},count(*)FROM t WHERE a=-1 AND some_long_name='some long value'
