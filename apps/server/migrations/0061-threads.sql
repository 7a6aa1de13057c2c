-- Threads: rooms of their own inside a text room, whose rights they have. Their messages are stored as those of rooms,
-- under the thread's id.

create table thread_rooms (
  space_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  title text not null,
  creator_id uuid not null,
  starter_message_id uuid,
  quiet_minutes integer not null,
  is_closed boolean not null default false,
  -- The user who closed it: the creator may not reopen what a moderator closed.
  closed_by uuid,
  -- Put to sleep by hand. Silence puts a thread to sleep without any change here.
  is_laid boolean not null default false,
  message_count integer not null default 0,
  active_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (space_id, id)
) with (fillfactor = 70);

-- One message begins one thread.
create unique index thread_rooms_starter on thread_rooms (space_id, starter_message_id)
  where starter_message_id is not null;
create index thread_rooms_id on thread_rooms (id);
-- Each list is at most twenty stretches of this index: asleep or not follows from the time and the minutes.
create index thread_rooms_activity
  on thread_rooms (space_id, room_id, is_closed, is_laid, quiet_minutes, active_at desc, id desc);

create table thread_follows (
  user_id uuid not null,
  thread_id uuid not null,
  space_id uuid not null,
  level text not null check (level in ('all', 'mentions', 'muted')),
  followed_at timestamptz(3) not null default now(),
  primary key (space_id, user_id, thread_id)
);
create index thread_follows_user on thread_follows (user_id, thread_id);
create index thread_follows_thread on thread_follows (space_id, thread_id, user_id);

-- The room of a message in a thread; null for all others.
alter table messages add column parent_id uuid;

-- Messages of threads are found as those of their room.
alter table message_words add column thread_id uuid;

-- Where clients open an answer; null for in the room.
alter table rooms add column replies text check (replies = 'threads');

-- The thread in which a message waits for a moderator. Its room is in room_id.
alter table held_messages add column thread_id uuid;

-- The room of a reported message in a thread: those who may view the room see the report.
alter table reports add column parent_id uuid;
