-- Rooms that follow announcement rooms of other servers. Such a follow is a webhook, too.

-- The origin of the other server, like https://other.example; null for a room of this one.
alter table webhooks add column source_server text;
drop index webhooks_source;
create unique index webhooks_source on webhooks (space_id, room_id, source_room_id)
  where source_room_id is not null and source_server is null;
create unique index webhooks_remote_source on webhooks (space_id, room_id, source_server, source_room_id)
  where source_server is not null;

create table remote_follows (
  space_id uuid not null,
  webhook_id uuid not null,
  -- The host of the other server, without its port. Hosts share the turns.
  server text not null,
  -- The document with the announcements, and the hub that announces its changes.
  feed_url text not null,
  hub_url text not null,
  -- As the other server named them last.
  space_name text not null,
  room_name text not null,
  -- The address that the hub calls ends with it.
  callback_id uuid not null,
  -- Encrypted, bound to the webhook. The hub signs its calls with it.
  secret bytea not null,
  -- Changes up to this number of the other server's log are copied.
  read_to bigint not null,
  -- Messages after this one are copied.
  after_seq bigint not null,
  -- When the latest messages were copied.
  copied_at timestamptz(3)[] not null default '{}',
  -- The end of the subscription at the hub; null before the first one.
  lease_until timestamptz(3),
  subscribe_at timestamptz(3) not null default now(),
  due_at timestamptz(3) not null default now(),
  -- Until then a call of the hub does not begin another turn, so that a hub that calls without end gets no more than others.
  rest_until timestamptz(3) not null default now(),
  -- Grows with each call of the hub, so that one during the copying is not forgotten.
  calls bigint not null default 0,
  attempts integer not null default 0,
  -- Since when the other server could not be read.
  failing_since timestamptz(3),
  -- The turn that copies at present.
  taken_by uuid,
  taken_until timestamptz(3),
  primary key (space_id, webhook_id),
  foreign key (space_id, webhook_id) references webhooks (space_id, id) on delete cascade
);
create index remote_follows_due on remote_follows (due_at);
create index remote_follows_callback on remote_follows (callback_id);

-- For a copy from another server, the number of the change that it shows.
alter table message_copies add column source_number bigint;
-- To bound the marks of messages that are gone.
create index message_copies_gone on message_copies (space_id, webhook_id) where message_id is null;
