-- Messages of threads by their ids alone: those that are moved may be in any thread of a room.
create index messages_in_threads on messages (tenant_id, id) where parent_id is not null;
