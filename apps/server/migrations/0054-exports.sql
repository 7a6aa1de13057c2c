-- Archives that people take with them: of their account, and of a space. Each is in a tenant of its own id, so that it counts to no
-- storage limit, and goes with its row.
create table exports (
  id uuid primary key,
  -- The person who asked for it, and the only one who gets it.
  user_id uuid not null,
  kind text not null check (kind in ('account', 'space')),
  -- The session that asked for it. Sessions that are older do not get it.
  session_id uuid not null,
  -- The user or the space.
  subject_id uuid not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'ready', 'failed')),
  -- The reason, once it has failed.
  failure text check (failure in ('storage_full', 'unavailable')),
  -- Runs begun. A run that was taken for dead ends nothing of a later one.
  attempts smallint not null default 0,
  attachment_id uuid,
  size_bytes bigint,
  created_at timestamptz(3) not null default now(),
  ready_at timestamptz(3),
  -- The row and the object are deleted then, whatever the state.
  expires_at timestamptz(3) not null
);
create unique index exports_subject on exports (user_id, kind, subject_id);
create index exports_expiry on exports (expires_at);

-- Checked for all rows by the next migration, which does not hold up anybody while it reads them.
alter table attachments drop constraint attachments_purpose_check;
alter table attachments add constraint attachments_purpose_check
  check (purpose in (
    'message', 'held', 'report', 'emoji', 'sticker', 'icon', 'banner', 'avatar', 'preview', 'export', 'import'))
  not valid;
