-- Announcement rooms: text rooms that other rooms can follow. What is written in them is copied there.

alter table rooms add column announces boolean not null default false;
alter table rooms add constraint rooms_announce_check check (not announces or type = 1);

-- A follow is a webhook of the room that follows. It has no token, because only the server posts by it.
alter table webhooks alter column token drop not null;
alter table webhooks add column source_space_id uuid;
alter table webhooks add column source_room_id uuid;
alter table webhooks add constraint webhooks_token_check check ((token is null) = (source_room_id is not null));
create unique index webhooks_source on webhooks (space_id, room_id, source_room_id) where source_room_id is not null;

-- The announcement rooms that are, or were, followed. Their messages are noted below.
create table followed_rooms (
  space_id uuid not null,
  room_id uuid not null,
  -- The process that copies from the room at present, so that the copies keep the order of the messages.
  leased_by uuid,
  leased_until timestamptz(3),
  -- When the latest messages were copied.
  copied_at timestamptz(3)[] not null default '{}',
  primary key (space_id, room_id),
  foreign key (space_id, room_id) references rooms (space_id, id) on delete cascade
);

create table room_follows (
  space_id uuid not null,
  room_id uuid not null,
  webhook_id uuid not null,
  follower_space_id uuid not null,
  -- Messages after this one are copied.
  after_seq bigint not null,
  primary key (space_id, room_id, webhook_id),
  foreign key (space_id, room_id) references followed_rooms (space_id, room_id) on delete cascade
);

-- Messages of followed rooms that were written, changed or deleted, until their copies are as they are.
create table announcement_changes (
  space_id uuid not null,
  room_id uuid not null,
  message_id uuid not null,
  seq bigint not null,
  -- Grows with each change of the message, so that one during the copying is not forgotten.
  version bigint not null default 1,
  attempts smallint not null default 0,
  due_at timestamptz(3) not null default now(),
  primary key (space_id, room_id, message_id),
  foreign key (space_id, room_id) references followed_rooms (space_id, room_id) on delete cascade
);
create index announcement_changes_due on announcement_changes (due_at);

-- Written in one statement with the copy. A row without a copy marks a message that was deleted, and is not to be copied.
create table message_copies (
  space_id uuid not null,
  webhook_id uuid not null,
  source_message_id uuid not null,
  room_id uuid,
  message_id uuid,
  -- Names of files that could not be copied.
  left_out text[] not null default '{}',
  made_at timestamptz(3) not null default now(),
  primary key (space_id, webhook_id, source_message_id),
  foreign key (space_id, webhook_id) references webhooks (space_id, id) on delete cascade
);
-- To follow copies that are moved into a thread.
create index message_copies_message on message_copies (space_id, message_id);
create index message_copies_unmade on message_copies (made_at) where message_id is null;

alter table messages add column copy_of jsonb;
