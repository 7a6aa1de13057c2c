-- What a person wrote, by room, whatever others wrote there. Without the ids of messages, so that entries of one person and room
-- are kept as one.
create index messages_author on messages (author_id, tenant_id, channel_id);
