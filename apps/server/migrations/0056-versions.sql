-- Versions of Foyer that have started on this database, so that a snapshot can say which version it belongs to.
create table versions (
  version text not null,
  -- Empty if the server was not started from a git checkout.
  commit text not null,
  -- The latest start.
  started_at timestamptz not null default now(),
  primary key (version, commit)
);

-- After a rollback nobody may resume from a later position, as after a restore. But it is no other installation.
alter table restores add column is_rollback boolean not null default false;
