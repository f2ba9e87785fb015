-- @name: net_revenue
-- @params: from_day (date), to_day (date)
-- @description: Net revenue in euros of the orders placed from from_day up to, not including, to_day. Prefer it to revenue arithmetic of your own.
SELECT SUM(o.amount_cents - COALESCE(r.back, 0)) / 100.0 AS net_revenue
FROM sales.orders o
LEFT JOIN (SELECT order_id, SUM(amount_cents) AS back FROM sales.refunds GROUP BY order_id) r ON r.order_id = o.order_id
WHERE o.is_test = 0 AND o.status <> 'cancelled'
  AND o.ordered_at >= CAST(:from_day AS DATE) AND o.ordered_at < CAST(:to_day AS DATE);
