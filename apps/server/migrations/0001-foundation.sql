-- Accounts. Their tenant is the user.

create table users (
  id uuid primary key,
  username text not null,
  email text,
  password_hash text,
  alias text,
  avatar uuid,
  banner uuid,
  custom text not null default '',
  flags integer not null default 0,
  badges integer not null default 0,
  is_bot boolean not null default false,
  email_verified boolean not null default false,
  birthdate date,
  phone text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3)
);
create unique index users_username on users (lower(username));
create unique index users_email on users (lower(email));

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Counts the refreshes: a token of an earlier generation has been used already.
  generation integer not null default 0,
  rotated_at timestamptz(3) not null default now(),
  device text not null default '',
  address text not null default '',
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

create table bot_tokens (
  user_id uuid primary key references users (id) on delete cascade,
  token_hash bytea not null unique
);

-- What a link in a mail proves. Only the hash of its token is kept.
create table mail_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset-password', 'change-email')),
  -- The address that the token speaks for.
  email text not null,
  expires_at timestamptz(3) not null
);
create unique index mail_tokens_user on mail_tokens (user_id, purpose);
create index mail_tokens_expiry on mail_tokens (expires_at);

-- Spaces. Every table of a space has the space first in its primary key, and no foreign key leaves the space.

create table spaces (
  id uuid primary key,
  name text not null,
  description text,
  icon uuid,
  banner uuid,
  owner_id uuid not null,
  locale text,
  member_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3)
);

create table rooms (
  space_id uuid not null references spaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  type smallint not null check (type in (1, 2, 3)),
  parent_id uuid,
  description text,
  position integer not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (space_id, id)
);
create index rooms_id on rooms (id);

create table roles (
  space_id uuid not null references spaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  permissions integer not null,
  color_from integer,
  color_via integer,
  color_to integer,
  hoisted boolean not null default false,
  position integer not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (space_id, id)
);

create table room_overwrites (
  space_id uuid not null,
  room_id uuid not null,
  target_id uuid not null,
  target_type smallint not null check (target_type in (0, 1)),
  allow_flags integer not null,
  deny_flags integer not null,
  primary key (space_id, room_id, target_id),
  foreign key (space_id, room_id) references rooms (space_id, id) on delete cascade
);

create table members (
  space_id uuid not null references spaces (id) on delete cascade,
  user_id uuid not null,
  nickname text,
  -- The position of the member's highest role: the first key of the member list.
  position integer not null default 0,
  joined_at timestamptz(3) not null default now(),
  primary key (space_id, user_id)
);
create index members_user on members (user_id);
create index members_order on members (space_id, position desc, user_id);

create table member_roles (
  space_id uuid not null,
  user_id uuid not null,
  role_id uuid not null,
  primary key (space_id, user_id, role_id),
  foreign key (space_id, user_id) references members (space_id, user_id) on delete cascade,
  foreign key (space_id, role_id) references roles (space_id, id) on delete cascade
);
create index member_roles_role on member_roles (space_id, role_id);

create table invites (
  space_id uuid not null references spaces (id) on delete cascade,
  id uuid not null,
  code text not null,
  room_id uuid not null,
  inviter_id uuid not null,
  max_age integer not null check (max_age between 0 and 604800),
  uses integer not null default 0,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (space_id, id),
  foreign key (space_id, room_id) references rooms (space_id, id) on delete cascade
);
create index invites_code on invites (code);

-- Messages. The tenant is the space or the conversation; the channel is the room, or the conversation itself.

-- One narrow row a channel, updated by every message: apart from the wide rows that readers of rooms want.
create table message_heads (
  tenant_id uuid not null,
  channel_id uuid not null,
  last_seq bigint not null default 0,
  last_message_id uuid,
  primary key (tenant_id, channel_id)
) with (fillfactor = 50);

create table messages (
  tenant_id uuid not null,
  channel_id uuid not null,
  id uuid not null,
  seq bigint not null,
  author_id uuid not null,
  type smallint not null default 0,
  content text not null,
  flags integer not null default 0,
  pinned boolean not null default false,
  nonce text,
  created_at timestamptz(3) not null,
  edited_at timestamptz(3),
  primary key (tenant_id, channel_id, id)
);
create unique index messages_seq on messages (tenant_id, channel_id, seq);

-- A retry within 24 hours finds here what the first try became.
create table message_nonces (
  tenant_id uuid not null,
  channel_id uuid not null,
  author_id uuid not null,
  nonce text not null,
  message_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, channel_id, author_id, nonce)
);
create index message_nonces_age on message_nonces (created_at);

create table read_states (
  user_id uuid not null,
  channel_id uuid not null,
  tenant_id uuid not null,
  last_read_seq bigint not null default 0,
  mention_count integer not null default 0,
  updated_at timestamptz(3) not null default now(),
  primary key (user_id, channel_id)
);

-- The journal: each event is written here by the transaction of its change. Ids are UUIDs of version 7, so that
-- partitions by id are partitions by time; a job makes the next ones and drops those past the resume window.

create table events (
  -- Whom it concerns: a user, a space, a room of a space, or a conversation.
  kind text not null,
  tenant_id uuid not null,
  -- The room, or the tenant again for what concerns all of it.
  channel_id uuid not null,
  id uuid not null,
  -- Permission bits that a listener of the topic needs in the space; 0 needs none.
  audience integer not null default 0,
  name text not null,
  data text not null,
  primary key (tenant_id, channel_id, id)
) partition by range (id);
