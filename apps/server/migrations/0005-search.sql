-- What search looks through: a narrow row a message, apart from the wide one. Pin notices have none.

create table message_words (
  tenant_id uuid not null,
  channel_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null,
  -- Its words, and what else can be asked for: its author, whom it mentions, what it has. Each begins with a tag of the
  -- tenant, so that what is common elsewhere costs nothing here.
  words tsvector not null,
  -- The newest of a tenant; which channel they are of is seen without the row.
  primary key (tenant_id, id, channel_id)
);
-- The newest of a channel.
create index message_words_channel on message_words (tenant_id, channel_id, id);
-- Without a list of pending rows, which every search would read from end to end.
create index message_words_words on message_words using gin (words) with (fastupdate = off);
-- Nobody asks for them: how common a word is, search finds out by itself.
alter table message_words alter column words set statistics 0;

-- How far a channel is indexed. Whoever changes rows of message_words holds the mark of their channel.
create table search_marks (
  tenant_id uuid not null,
  channel_id uuid not null,
  indexed_seq bigint not null default 0,
  primary key (tenant_id, channel_id)
) with (fillfactor = 50);
