-- Announcement rooms that other servers follow: a log of changed messages, and subscriptions to it.

-- The newest message when the log began; null for rooms without one.
alter table followed_rooms add column logged_since bigint;
-- The newest number of the log. It begins with the time in milliseconds, so that the numbers of a log that begins again,
-- or of a restored backup, are above all earlier ones.
alter table followed_rooms add column log_head bigint not null default 0;

-- The version that is in the log.
alter table announcement_changes add column logged_version bigint not null default 0;
create index announcement_changes_unlogged on announcement_changes (space_id, room_id) where logged_version < version;

-- Each message that was written, changed or deleted, by its latest change. Swept in pieces after the room is deleted.
create table announcement_log (
  tenant_id uuid not null,
  channel_id uuid not null,
  message_id uuid not null,
  number bigint not null,
  primary key (tenant_id, channel_id, message_id)
);
create unique index announcement_log_number on announcement_log (tenant_id, channel_id, number);

-- Subscriptions by WebSub, once they are verified.
create table feed_subscriptions (
  space_id uuid not null,
  room_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('announcements.json', 'feed.atom')),
  -- The origin by which the subscriber knows this server.
  origin text not null,
  -- Short enough for an entry of an index.
  callback text not null check (length(callback) <= 1024),
  callback_host text not null,
  secret text,
  lease_until timestamptz(3) not null,
  -- The head of the log that the subscriber was sent last.
  sent_number bigint not null,
  -- When the next push is due; null while there is nothing to send.
  due_at timestamptz(3),
  attempts smallint not null default 0,
  -- A process is pushing until then.
  taken_until timestamptz(3),
  primary key (space_id, room_id, id),
  foreign key (space_id, room_id) references followed_rooms (space_id, room_id) on delete cascade
);
create unique index feed_subscriptions_callback on feed_subscriptions (space_id, room_id, kind, callback);
create index feed_subscriptions_due on feed_subscriptions (attempts, due_at) where due_at is not null;
create index feed_subscriptions_lease on feed_subscriptions (lease_until);
