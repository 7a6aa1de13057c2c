-- Rules by which a space checks what is written in it.
create table automod_rules (
  space_id uuid not null,
  id uuid not null,
  name text not null,
  mode text not null,
  trigger json not null,
  action text not null,
  message text,
  alert_room_id uuid,
  timeout_minutes integer,
  exempt_role_ids uuid[] not null,
  exempt_room_ids uuid[] not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (space_id, id)
);

-- What rules caught. The id gives the time.
create table automod_hits (
  space_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  user_id uuid,
  room_id uuid,
  source text not null,
  mode text not null,
  text text not null,
  excerpt text,
  primary key (space_id, id)
);

create index automod_hits_user on automod_hits (space_id, user_id) where user_id is not null;
create index automod_hits_rule on automod_hits (space_id, rule_id, id);
-- For the sweep.
create index automod_hits_id on automod_hits (id);

-- Messages that wait for a moderator. body is the request that sends them.
create table held_messages (
  space_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  rule_id uuid not null,
  rule_name text not null,
  user_id uuid not null,
  nonce text,
  body json not null,
  file_ids uuid[] not null,
  -- The moderator who posts it, by a random id, and since when.
  claim uuid,
  claimed_at timestamptz,
  primary key (space_id, id)
);

create index held_messages_user on held_messages (space_id, user_id);
create index held_messages_id on held_messages (id);
-- A retry holds nothing twice.
create unique index held_messages_nonce on held_messages (space_id, room_id, user_id, nonce) where nonce is not null;

-- held: a file of a message that waits for a moderator.
alter table attachments drop constraint attachments_purpose_check;
alter table attachments add constraint attachments_purpose_check
  check (purpose in ('message', 'held', 'emoji', 'sticker', 'icon', 'banner', 'avatar', 'preview'));

-- Null for a timeout that a rule set.
alter table timeouts alter column moderator_id drop not null;
