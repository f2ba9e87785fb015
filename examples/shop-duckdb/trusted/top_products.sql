-- @name: top_products
-- @params: from_day (date), to_day (date), how_many (integer)
-- @description: The products that sold the most units in the orders that count, placed from from_day up to, not including, to_day.
SELECT p.name, SUM(i.quantity) AS units
FROM sales.order_items i
JOIN sales.orders o ON o.order_id = i.order_id
JOIN ref.products p ON p.product_id = i.product_id
WHERE o.is_test = 0 AND o.status <> 'cancelled'
  AND o.ordered_at >= CAST(:from_day AS DATE) AND o.ordered_at < CAST(:to_day AS DATE)
GROUP BY p.product_id, p.name
ORDER BY units DESC, p.name
LIMIT CAST(:how_many AS INTEGER);
