-- Every change of a space. before and after hold the changed fields.
create table audit_log (
  space_id uuid not null,
  id uuid not null,
  action text not null,
  actor_id uuid,
  target_type text not null,
  target_id uuid not null,
  target_name text,
  room_id uuid,
  before json,
  after json,
  reason text,
  undoes uuid,
  primary key (space_id, id)
);

-- One for each filter, and for the two that can both be wide.
create index audit_log_actor on audit_log (space_id, actor_id, id);
create index audit_log_action on audit_log (space_id, action, id);
create index audit_log_actor_action on audit_log (space_id, actor_id, action, id);
create index audit_log_target on audit_log (space_id, target_id, id);
-- An entry is undone once.
create unique index audit_log_undoes on audit_log (space_id, undoes) where undoes is not null;

-- Days for which entries are kept; null means for ever.
alter table spaces add column audit_log_days integer default 90;
