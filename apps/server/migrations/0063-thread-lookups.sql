-- The room of a mention in a thread; null for all others.
alter table mentions add column parent_id uuid;
update mentions set parent_id = messages.parent_id
  from messages
  where messages.parent_id is not null and mentions.tenant_id = messages.tenant_id
    and mentions.channel_id = messages.channel_id and mentions.message_id = messages.id;
-- Mentions of somebody by name in whatever threads, the newest first: there may be too many threads to look at each.
create index mentions_in_threads on mentions (target_id, message_id) include (tenant_id, channel_id, author_id, parent_id)
  where parent_id is not null;

-- The threads of a space with the newest messages: only these may have messages that search has not indexed.
create index thread_rooms_newest on thread_rooms (space_id, active_at desc);
