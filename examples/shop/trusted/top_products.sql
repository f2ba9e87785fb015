-- @name: top_products
-- @params: from_day (date), to_day (date), how_many (integer)
-- @description: The products that sold the most units in the orders that count, placed from from_day up to, not including, to_day.
SELECT p.name, SUM(i.quantity) AS units
FROM order_items i
JOIN orders o ON o.order_id = i.order_id
JOIN products p ON p.product_id = i.product_id
WHERE o.is_test = 0 AND o.status <> 'cancelled'
  AND o.ordered_at >= :from_day AND o.ordered_at < :to_day
GROUP BY p.product_id, p.name
ORDER BY units DESC, p.name
LIMIT :how_many;
