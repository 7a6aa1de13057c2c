-- Kept apart from the membership: leaving and coming back must not end a timeout.
create table timeouts (
  space_id uuid not null,
  user_id uuid not null,
  until timestamptz not null,
  reason text,
  moderator_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (space_id, user_id)
);

-- A copy, read with the member.
alter table members add column timeout_until timestamptz;
