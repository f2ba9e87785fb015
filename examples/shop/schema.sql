CREATE TABLE "group" (
  group_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  discount_pct INTEGER NOT NULL -- standing discount, percent
);
CREATE TABLE categories (
  category_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  parent_id INTEGER REFERENCES categories (category_id)
);
CREATE TABLE products (
  product_id INTEGER PRIMARY KEY,
  sku TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL REFERENCES categories (category_id),
  "list price" INTEGER NOT NULL, -- euro cents
  vendor_code TEXT NOT NULL,
  weight_g TEXT NOT NULL,
  discontinued_on DATE
);
CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  full_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT,
  group_id INTEGER NOT NULL REFERENCES "group" (group_id),
  is_active INTEGER NOT NULL,
  closed_on DATE,
  created_at TIMESTAMP NOT NULL
);
CREATE TABLE addresses (
  address_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  kind TEXT NOT NULL CHECK (kind IN ('billing', 'shipping')),
  street TEXT NOT NULL,
  city TEXT NOT NULL,
  zip TEXT NOT NULL,
  country TEXT NOT NULL
);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  billing_address_id INTEGER NOT NULL REFERENCES addresses (address_id),
  shipping_address_id INTEGER NOT NULL REFERENCES addresses (address_id),
  status TEXT NOT NULL CHECK (status IN ('confirmed', 'refunded', 'partial_refund', 'cancelled')),
  channel TEXT NOT NULL,
  ordered_at TIMESTAMP NOT NULL, -- UTC
  shipped_at TIMESTAMP, -- the warehouse's local time
  amount_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  app_context TEXT -- JSON
);
CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  line_no INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  quantity INTEGER NOT NULL,
  unit_price_cents INTEGER NOT NULL,
  discount_pct TEXT NOT NULL,
  PRIMARY KEY (order_id, line_no)
);
CREATE TABLE refunds (
  refund_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders (order_id),
  amount_cents INTEGER NOT NULL,
  reason_code TEXT NOT NULL,
  refunded_at TIMESTAMP NOT NULL
);
CREATE TABLE reviews (
  review_id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (product_id),
  customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
  rating TEXT NOT NULL,
  comment TEXT,
  reviewed_on DATE NOT NULL
);
CREATE TABLE fx_rates (
  day DATE NOT NULL,
  code TEXT NOT NULL,
  rate REAL NOT NULL -- euros for one unit
);
CREATE INDEX orders_by_customer ON orders (customer_id);
CREATE INDEX items_by_product ON order_items (product_id);
CREATE INDEX refunds_by_order ON refunds (order_id);
