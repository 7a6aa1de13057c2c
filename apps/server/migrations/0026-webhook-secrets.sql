-- The secret that GitHub signs its deliveries with. Sealed with a key derived from SECRET_KEY; null where none is asked for.
alter table webhooks add column secret bytea;
