-- One row a minute of each running process, kept for a day.
create table health_samples (
  taken_at timestamptz(3) not null,
  process_id uuid not null,
  connections integer not null,
  -- Per minute, also if the process was late and the sample covers more time than that.
  requests real not null,
  errors real not null,
  messages real not null,
  -- Requests of each duration, as in the metric: exact percentiles of several processes cannot be made of their own.
  latency integer[] not null,
  -- Processors in use.
  cpu real not null,
  memory_bytes bigint not null,
  lag_ms real not null,
  -- Measured once an hour. People are counted by a look at all sessions: an index by their last use would cost each of these.
  database_bytes bigint,
  active_day integer,
  active_week integer,
  primary key (taken_at, process_id)
);

-- The processes of the installation, while they run and for a day after.
create table server_processes (
  id uuid primary key,
  version text not null,
  services text[] not null,
  connections integer not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null
);

-- The last result of the storage survey, which takes too long for a request and runs as a job.
create table storage_surveys (
  is_only boolean primary key default true check (is_only),
  ended_at timestamptz(3),
  -- Files looked at by the one under way.
  progress integer not null default 0,
  failure text,
  result jsonb
);

-- Backups that this installation has made or tried. Copies elsewhere keep their own names.
create table backup_runs (
  id uuid primary key,
  is_scheduled boolean not null,
  state text not null check (state in ('running', 'made', 'failed')),
  begun_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- The last thing it said.
  progress text,
  snapshot text,
  files integer,
  file_bytes bigint,
  rows bigint,
  failure text
);
