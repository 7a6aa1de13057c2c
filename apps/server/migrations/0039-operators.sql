-- The accounts that run the server. The flag Staff in users.flags repeats it for clients.
create table operators (
  user_id uuid primary key,
  -- Null for the first account, and for the command line.
  granted_by uuid,
  created_at timestamptz not null default now()
);

-- The first account of a server got the flag and nothing else has.
insert into operators (user_id) select id from users where flags & 1 = 1 and not is_bot and deleted_at is null;

-- What operators did. actor_id is null for the command line.
create table operator_log (
  id uuid primary key,
  actor_id uuid,
  action text not null,
  target_type text not null,
  target_id uuid,
  target_name text,
  details json not null,
  reason text,
  created_at timestamptz not null default now()
);

create index operator_log_target on operator_log (target_id, id);

-- Tokens of links that make the first operator, until there is one.
create table operator_claims (
  token_hash bytea primary key,
  created_at timestamptz not null default now()
);

alter table users add column locked_at timestamptz;
alter table users add column lock_reason text;
alter table spaces add column frozen_at timestamptz;
alter table spaces add column freeze_reason text;

-- Operators find both by the beginning of a name, in its order.
create index users_name_start on users (lower(username) collate "C", id) where deleted_at is null;
create index users_locked on users (lower(username) collate "C", id) where locked_at is not null;
create index spaces_name_start on spaces (lower(name) collate "C", id) where deleted_at is null;
create index spaces_frozen on spaces (lower(name) collate "C", id) where frozen_at is not null;
