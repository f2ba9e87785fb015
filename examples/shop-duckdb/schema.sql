CREATE SCHEMA ref;
CREATE SCHEMA sales;
CREATE TABLE ref."group" (
  group_id BIGINT PRIMARY KEY,
  name VARCHAR NOT NULL,
  discount_pct BIGINT NOT NULL -- standing discount, percent
);
CREATE TABLE ref.categories (
  category_id BIGINT PRIMARY KEY,
  name VARCHAR NOT NULL,
  parent_id BIGINT
);
CREATE TABLE ref.products (
  product_id BIGINT PRIMARY KEY,
  sku VARCHAR NOT NULL UNIQUE,
  name VARCHAR NOT NULL,
  category_id BIGINT NOT NULL REFERENCES ref.categories (category_id),
  "list price" BIGINT NOT NULL, -- euro cents
  vendor_code VARCHAR NOT NULL,
  weight_g VARCHAR NOT NULL,
  discontinued_on DATE
);
CREATE TABLE sales.customers (
  customer_id BIGINT PRIMARY KEY,
  full_name VARCHAR NOT NULL,
  email VARCHAR NOT NULL,
  phone VARCHAR,
  group_id BIGINT NOT NULL,
  is_active INTEGER NOT NULL,
  closed_on DATE,
  created_at TIMESTAMP NOT NULL
);
CREATE TABLE sales.addresses (
  address_id BIGINT PRIMARY KEY,
  customer_id BIGINT NOT NULL REFERENCES sales.customers (customer_id),
  kind VARCHAR NOT NULL CHECK (kind IN ('billing', 'shipping')),
  street VARCHAR NOT NULL,
  city VARCHAR NOT NULL,
  zip VARCHAR NOT NULL,
  country VARCHAR NOT NULL
);
CREATE TABLE sales.orders (
  order_id BIGINT PRIMARY KEY,
  customer_id BIGINT NOT NULL REFERENCES sales.customers (customer_id),
  billing_address_id BIGINT NOT NULL REFERENCES sales.addresses (address_id),
  shipping_address_id BIGINT NOT NULL REFERENCES sales.addresses (address_id),
  status VARCHAR NOT NULL CHECK (status IN ('confirmed', 'refunded', 'partial_refund', 'cancelled')),
  channel VARCHAR NOT NULL,
  ordered_at TIMESTAMP NOT NULL, -- UTC
  shipped_at TIMESTAMP, -- the warehouse's local time
  amount_cents BIGINT NOT NULL,
  currency VARCHAR NOT NULL,
  is_test INTEGER NOT NULL,
  app_context VARCHAR -- JSON
);
CREATE TABLE sales.order_items (
  order_id BIGINT NOT NULL REFERENCES sales.orders (order_id),
  line_no BIGINT NOT NULL,
  product_id BIGINT NOT NULL,
  quantity BIGINT NOT NULL,
  unit_price_cents BIGINT NOT NULL,
  discount_pct VARCHAR NOT NULL,
  PRIMARY KEY (order_id, line_no)
);
CREATE TABLE sales.refunds (
  refund_id BIGINT PRIMARY KEY,
  order_id BIGINT NOT NULL REFERENCES sales.orders (order_id),
  amount_cents BIGINT NOT NULL,
  reason_code VARCHAR NOT NULL,
  refunded_at TIMESTAMP NOT NULL
);
CREATE TABLE sales.reviews (
  review_id BIGINT PRIMARY KEY,
  product_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL REFERENCES sales.customers (customer_id),
  rating VARCHAR NOT NULL,
  comment VARCHAR,
  reviewed_on DATE NOT NULL
);
CREATE TABLE ref.fx_rates (
  day DATE NOT NULL,
  code VARCHAR NOT NULL,
  rate DOUBLE NOT NULL -- euros for one unit
);
