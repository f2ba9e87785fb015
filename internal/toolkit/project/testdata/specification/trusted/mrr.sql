-- @name: monthly_recurring_revenue
-- @params: month (date)
-- @description: Official MRR definition. Prefer this over ad-hoc revenue math.
SELECT ...;
