-- The piece of work that a call belongs to: the trace of one question.
ALTER TABLE call ADD COLUMN unit TEXT NOT NULL DEFAULT '';
