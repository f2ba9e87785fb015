WITH net_orders AS (
  SELECT o.order_id, o.customer_id, o.shipping_address_id, o.ordered_at, o.currency,
         SUM(i.quantity * i.unit_price_cents - COALESCE(i.discount_cents, 0)) AS net_cents
  FROM orders AS o
  JOIN order_items AS i ON i.order_id = o.order_id
  WHERE o.status IN ('confirmed', 'shipped', 'delivered') AND o.is_test = 0
    AND o.ordered_at >= '2025-01-01' AND o.ordered_at < '2026-10-01'
  GROUP BY o.order_id, o.customer_id, o.shipping_address_id, o.ordered_at, o.currency
),
refunded AS (
  SELECT r.order_id, SUM(r.amount_cents) AS refund_cents, COUNT(DISTINCT r.reason) AS reasons
  FROM refunds AS r WHERE r.approved_at IS NOT NULL GROUP BY r.order_id
),
in_euro AS (
  SELECT n.order_id, n.customer_id, n.shipping_address_id, SUBSTR(n.ordered_at, 1, 7) AS month,
         (n.net_cents - COALESCE(f.refund_cents, 0)) * x.rate / 100.0 AS revenue
  FROM net_orders AS n
  LEFT JOIN refunded AS f ON f.order_id = n.order_id
  JOIN fx_rates AS x ON x.code = n.currency AND x.day = SUBSTR(n.ordered_at, 1, 10)
),
by_country AS (
  SELECT a.country, e.month, COUNT(DISTINCT e.customer_id) AS buyers, SUM(e.revenue) AS revenue,
         SUM(CASE WHEN c.segment = 'business' THEN e.revenue ELSE 0 END) AS business
  FROM in_euro AS e
  JOIN customers AS c ON c.customer_id = e.customer_id
  JOIN addresses AS a ON a.address_id = e.shipping_address_id
  WHERE c.closed_at IS NULL
    AND a.country <> 'XX' -- test country
  GROUP BY a.country, e.month
),
ranked AS (
  SELECT b.country, b.month, b.buyers, b.revenue, ROUND(100.0 * b.business / NULLIF(b.revenue, 0), 1) AS business_share,
         b.revenue - LAG(b.revenue) OVER (PARTITION BY b.country ORDER BY b.month) AS gained,
         RANK() OVER (PARTITION BY b.month ORDER BY b.revenue DESC) AS place
  FROM by_country AS b
)
SELECT r.country, r.month, r.buyers, ROUND(r.revenue, 2) AS revenue, r.business_share, ROUND(r.gained, 2) AS gained
FROM ranked AS r
WHERE r.place <= 5 AND r.month >= '2026-01'
ORDER BY r.month, r.place
LIMIT 100;
