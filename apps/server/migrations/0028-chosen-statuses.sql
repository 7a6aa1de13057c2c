-- The status a user chose for all of their devices; null for online. It outlives their connections.
alter table users add column chosen_status text;
