-- Whoever joins with a temporary invite stays a member only while they are connected, until they get a role.
alter table invites add column temporary boolean not null default false;
alter table members add column is_temporary boolean not null default false;
-- When a job first found the temporary member away; null while they are connected.
alter table members add column away_since timestamptz;

create index members_temporary on members (user_id) where is_temporary;
