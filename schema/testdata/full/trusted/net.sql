-- @name: net
-- @params: a (integer), since_day (date)
-- @description: Net revenue.
SELECT :a, :since_day
