-- Merges of threads with many messages, which go on in jobs.

-- The thread into which the messages of this one move.
alter table thread_rooms add column merging_into uuid;
-- When the merge began. Users who follow the thread later still have to follow the other one.
alter table thread_rooms add column merging_at timestamptz(3);
