-- Restores of a backup into this database. Positions in the journal from before the first start after one cannot be resumed from.
create table restores (
  id uuid primary key default gen_random_uuid(),
  restored_at timestamptz not null default now(),
  -- The first start of a server after it. Until then, an earlier server may still hand out positions.
  started_at timestamptz
);
