-- What messages refer to, whom they mention, who reacted, what is pinned; and conversations.

alter table messages
  -- 0 reply, 1 forward. A reply's message is in the same channel; a forward's may be anywhere.
  add column reference_type smallint,
  add column reference_tenant_id uuid,
  add column reference_channel_id uuid,
  add column reference_message_id uuid,
  -- What a forwarded message was, but for its files, which this message has copies of.
  add column snapshot jsonb,
  add column mention_ids uuid[],
  add column mention_role_ids uuid[],
  add column mention_everyone boolean not null default false,
  add column embeds jsonb,
  add column components jsonb,
  -- Whether reactions name it: most do not, and then nobody looks for them.
  add column has_reactions boolean not null default false,
  -- Of a webhook's message, the name and the picture that it was sent under.
  add column webhook_id uuid,
  add column author_name text,
  add column author_avatar uuid,
  add column application_id uuid,
  -- What the message answers: {id, type, name, user_id}.
  add column interaction jsonb;

-- Whom a message mentions: a user, a role, or everybody, whose id is then the channel's.
create table mentions (
  tenant_id uuid not null,
  channel_id uuid not null,
  target_id uuid not null,
  seq bigint not null,
  message_id uuid not null,
  author_id uuid not null,
  primary key (tenant_id, channel_id, target_id, seq)
);

create table reactions (
  tenant_id uuid not null,
  channel_id uuid not null,
  message_id uuid not null,
  -- A Unicode emoji, or the id of a space's.
  emoji text not null,
  user_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, channel_id, message_id, emoji, user_id)
);

-- How many: a page of messages must not count thousands.
create table reaction_counts (
  tenant_id uuid not null,
  channel_id uuid not null,
  message_id uuid not null,
  emoji text not null,
  count integer not null check (count > 0),
  -- The order in which they are shown.
  first_at timestamptz(3) not null default now(),
  primary key (tenant_id, channel_id, message_id, emoji)
);

create table pins (
  tenant_id uuid not null,
  channel_id uuid not null,
  message_id uuid not null,
  pinned_by uuid not null,
  pinned_at timestamptz(3) not null default now(),
  primary key (tenant_id, channel_id, message_id)
);

create table conversations (
  id uuid primary key,
  type smallint not null check (type in (1, 2)),
  name text,
  icon uuid,
  owner_id uuid,
  created_at timestamptz(3) not null default now()
);

create table conversation_members (
  conversation_id uuid not null references conversations (id) on delete cascade,
  user_id uuid not null,
  joined_at timestamptz(3) not null default now(),
  -- A direct conversation that one closes is not listed until something is said in it.
  closed_at timestamptz(3),
  primary key (conversation_id, user_id)
);
create index conversation_members_user on conversation_members (user_id);

-- The one direct conversation of two users, the lesser id first.
create table direct_conversations (
  user_id uuid not null,
  other_id uuid not null,
  conversation_id uuid not null,
  primary key (user_id, other_id),
  check (user_id < other_id)
);

-- In a conversation, a sticker can be any space's.
create index space_images_id on space_images (id);
