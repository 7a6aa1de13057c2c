-- What members are found by: the beginnings of their names, in the folded form that the server makes. Compared by bytes, so
-- that a prefix is a range.

alter table users add column alias_key text;
alter table members
  add column username_key text collate "C",
  add column alias_key text collate "C",
  add column nickname_key text collate "C";

-- Nearly the folded form: the exact one comes with the next change of the name.
update users set alias_key = lower(alias) where alias is not null;
update members set
  username_key = lower(users.username), alias_key = users.alias_key, nickname_key = lower(members.nickname)
from users where users.id = members.user_id;

create index members_by_username on members (space_id, username_key, user_id);
create index members_by_alias on members (space_id, alias_key, user_id) where alias_key is not null;
create index members_by_nickname on members (space_id, nickname_key, user_id) where nickname_key is not null;
