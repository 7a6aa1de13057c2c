-- The newest mentions of somebody over all places: read in the order of the messages' ids, which is the same everywhere. What
-- tells whether one counts is in the index.
create index mentions_newest on mentions (tenant_id, channel_id, target_id, message_id) include (author_id);
