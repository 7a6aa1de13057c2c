-- Deleted spaces are kept for a while, in which operators bring them back, and then purged.

alter table spaces
  -- Null for spaces whose files went with the deletion: nothing can be brought back.
  add column restorable_until timestamptz(3),
  -- From then on nobody can bring it back.
  add column purge_begun_at timestamptz(3),
  -- While operators hold it, nothing in it is purged or deleted for its age.
  add column held_at timestamptz(3),
  add column hold_reason text;

create index spaces_deleted on spaces (lower(name) collate "C", id) where deleted_at is not null;
create index spaces_held on spaces (lower(name) collate "C", id) where held_at is not null;
create index spaces_to_purge on spaces (deleted_at) where deleted_at is not null;

-- Of a bucket that was closed with its space: whether it took the uploads. Null for every other bucket.
alter table storage_buckets add column was_active boolean;
