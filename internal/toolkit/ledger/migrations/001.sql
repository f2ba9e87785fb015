-- One row per attempt at a model call, written before the request goes out
-- and completed before its answer is used. Money is in micro-dollars.
CREATE TABLE call (
  id         INTEGER PRIMARY KEY,
  at         INTEGER NOT NULL,             -- microseconds since 1970, UTC
  command    TEXT    NOT NULL,
  run        TEXT    NOT NULL,
  role       TEXT    NOT NULL,
  provider   TEXT    NOT NULL,
  model      TEXT    NOT NULL,             -- asked
  answered   TEXT    NOT NULL DEFAULT '',  -- as it named itself
  prompt     TEXT    NOT NULL,             -- hash of the request
  bytes      INTEGER NOT NULL,             -- of the request
  -- settled: cost is what was billed; failed: nothing was billed; unknown:
  -- between cost and reserved (a cut answer, a process that was killed)
  outcome    TEXT    NOT NULL CHECK (outcome IN ('settled', 'failed', 'unknown')),
  error      TEXT    NOT NULL DEFAULT '',  -- kind of error, '' for an answer
  reserved   INTEGER NOT NULL,
  cost       INTEGER NOT NULL DEFAULT 0,
  input      INTEGER NOT NULL DEFAULT 0,
  output     INTEGER NOT NULL DEFAULT 0,
  write_5m   INTEGER NOT NULL DEFAULT 0,
  write_1h   INTEGER NOT NULL DEFAULT 0,
  read       INTEGER NOT NULL DEFAULT 0,
  estimated  INTEGER NOT NULL DEFAULT 0,   -- the endpoint did not count
  latency    INTEGER NOT NULL DEFAULT 0,   -- microseconds
  first_byte INTEGER NOT NULL DEFAULT 0,
  stop       TEXT    NOT NULL DEFAULT '',
  request_id TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX call_run ON call (run);
CREATE INDEX call_at ON call (at);
