-- The message with which a post began; it may be deleted, or in another thread. Null for a post that has lost it before.
alter table posts add column opening_message_id uuid;
update posts set opening_message_id = messages.id
  from messages
  where messages.tenant_id = posts.space_id and messages.channel_id = posts.id and messages.seq = 1;

-- The thread that begins with the held message; null for a message of a room or thread that there is already.
alter table held_messages add column begins jsonb;
