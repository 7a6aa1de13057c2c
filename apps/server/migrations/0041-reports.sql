-- Reports of messages, users and spaces. queue_id is the space whose moderators decide, or zero where operators do.
create table reports (
  id uuid primary key,
  queue_id uuid not null,
  reporter_id uuid not null,
  target_type text not null check (target_type in ('message', 'user', 'space')),
  target_id uuid not null,
  -- Of a message.
  tenant_id uuid,
  channel_id uuid,
  -- Who is reported: the user, the author or the owner. Null for a webhook.
  user_id uuid,
  reason text not null,
  text text not null,
  -- What was reported, as it was then. Its files are those of file_ids: in the space of the queue, or in a tenant of the report's own id where operators decide.
  copy json not null,
  file_ids uuid[] not null,
  state text not null default 'open' check (state in ('open', 'taken', 'closed')),
  assignee_id uuid,
  result text,
  answer text,
  closed_by uuid,
  closed_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

-- A user reports a thing once, until it is decided.
create unique index reports_undecided on reports (target_id, reporter_id) where state <> 'closed';
create index reports_queue on reports (queue_id, id) where state <> 'closed';
create index reports_closed on reports (queue_id, closed_at, id) where state = 'closed';
create index reports_old on reports (closed_at) where state = 'closed';
create index reports_reporter on reports (reporter_id, id);

create table report_notes (
  id uuid primary key,
  report_id uuid not null references reports on delete cascade,
  author_id uuid not null,
  text text not null,
  created_at timestamptz(3) not null default now()
);

create index report_notes_report on report_notes (report_id, id);

-- Requests of banned users to be let in again: one for each ban.
create table appeals (
  space_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  text text not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'refused')),
  answer text,
  decided_by uuid,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (space_id, id)
);

create unique index appeals_user on appeals (space_id, user_id);
create index appeals_open on appeals (space_id, id) where state = 'open';
-- They are deleted with the account.
create index appeals_of_account on appeals (user_id);

alter table attachments drop constraint attachments_purpose_check;
alter table attachments add constraint attachments_purpose_check
  check (purpose in ('message', 'held', 'report', 'emoji', 'sticker', 'icon', 'banner', 'avatar', 'preview'));
