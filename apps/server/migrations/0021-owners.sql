-- The living spaces of an owner, over which files, rooms and overwrites are counted. Deleted ones may be any number.
create index spaces_owner on spaces (owner_id) where deleted_at is null;
