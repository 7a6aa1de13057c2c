-- Processes that cannot reach Valkey: the others cannot hear them, and read the journal for as long as one says so here. What
-- a crash of the database loses is written again within a second.
create unlogged table cut_off_processes (
  id uuid primary key,
  -- In milliseconds since 1970, by the clock of the process.
  lost_since bigint not null,
  seen_at timestamptz not null default now()
);
