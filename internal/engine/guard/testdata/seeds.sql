### exists
SELECT * FROM customers c WHERE c.region = 'x' AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
### chain
WITH a AS (SELECT id, SUM(x) AS s FROM orders GROUP BY id), b AS (SELECT AVG(s) AS m FROM a) SELECT a.id FROM a, b WHERE a.s > b.m ORDER BY 1 LIMIT 5
### recursive
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT n FROM r
### joins
SELECT a.x, b.y FROM a JOIN b ON a.i = b.i LEFT JOIN c USING (i), d WHERE a.z BETWEEN 1 AND 2 GROUP BY a.x, b.y HAVING count(*) > 1
### window
SELECT id, rank() OVER (PARTITION BY a ORDER BY b DESC) AS r, CASE WHEN c THEN 'x' ELSE 'y' END FROM t WINDOW w AS (ORDER BY d)
### derived
SELECT * FROM (SELECT a, max(b) AS m FROM t GROUP BY a) AS q JOIN (u JOIN v ON u.i = v.i) ON q.a = u.a
### union
(SELECT a FROM t ORDER BY a LIMIT 3) UNION ALL (SELECT b FROM u) ORDER BY 1
### texts
SELECT 'it''s', concat(a, ' -- ', b) /* c */ FROM t -- tail
### dates
SELECT extract(year FROM d), substring(s FROM 2 FOR 3), cast(x AS decimal(10, 2)) FROM t WHERE d >= date '2020-01-01'
