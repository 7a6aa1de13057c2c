-- Archives that people bring to make spaces of. Each archive is in a tenant of its own id, as that of an export.
create table space_imports (
  id uuid primary key,
  user_id uuid not null,
  state text not null check (state in ('uploading', 'queued', 'running', 'done', 'failed')),
  -- The code of an error and what it says, once it has failed.
  failure text,
  failure_message text,
  -- Runs begun. A run that was taken for dead ends nothing of a later one.
  attempts smallint not null default 0,
  attachment_id uuid,
  -- The space that the latest run builds, or has built.
  built_id uuid,
  -- Counts of imported and left-out items.
  result jsonb,
  created_at timestamptz(3) not null default now(),
  -- The row goes then, and the archive, whatever the state.
  expires_at timestamptz(3) not null
);
-- One at a time.
create unique index space_imports_user on space_imports (user_id) where state in ('uploading', 'queued', 'running');
create index space_imports_expiry on space_imports (expires_at);

alter table attachments validate constraint attachments_purpose_check;

-- Spaces that are being built or purged. Storage of those being built counts towards their owner's limit.
create index spaces_in_the_making on spaces (owner_id) where purge_begun_at is not null;
