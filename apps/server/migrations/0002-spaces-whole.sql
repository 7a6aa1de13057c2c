-- Roles, bans, bots and friends.

-- The member's highest role, null for who has @everyone alone. A position would change for everybody whenever a role
-- comes or moves; which role is the highest changes only for those who have the role that moved.
-- `members.position` and its index stay until nothing of the version before is running.
alter table members add column top_role_id uuid;
update members set top_role_id = (
  select role_id from member_roles
  join roles on roles.space_id = member_roles.space_id and roles.id = role_id
  where member_roles.space_id = members.space_id and member_roles.user_id = members.user_id
  order by roles.position desc limit 1);
create index members_by_top_role on members (space_id, coalesce(top_role_id, space_id), user_id);

update roles set name = '@everyone' where id = space_id and name = 'everyone';

-- Moves renumber several rows at once: what counts is how they stand at the commit.
alter table roles add constraint roles_position unique (space_id, position) deferrable initially deferred;
alter table rooms add constraint rooms_position unique (space_id, position) deferrable initially deferred;

create table bans (
  space_id uuid not null references spaces (id) on delete cascade,
  user_id uuid not null,
  reason text,
  banned_by uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (space_id, user_id)
);

-- An application's id is the id of its bot's user.
create table applications (
  id uuid primary key references users (id) on delete cascade,
  owner_id uuid not null references users (id) on delete cascade,
  name text not null,
  description text,
  icon uuid,
  bot_public boolean not null,
  created_at timestamptz(3) not null default now()
);
create index applications_owner on applications (owner_id);

-- A friendship is two rows, so that each friend's list is one range.
create table friendships (
  user_id uuid not null references users (id) on delete cascade,
  friend_id uuid not null references users (id) on delete cascade,
  since timestamptz(3) not null,
  primary key (user_id, friend_id)
);
create index friendships_friend on friendships (friend_id);

create table friend_requests (
  id uuid primary key,
  sender_id uuid not null references users (id) on delete cascade,
  receiver_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now()
);
-- One pending request between two people, whoever sent it.
create unique index friend_requests_pair
  on friend_requests (least(sender_id, receiver_id), greatest(sender_id, receiver_id));
create index friend_requests_sender on friend_requests (sender_id);
create index friend_requests_receiver on friend_requests (receiver_id);

create table blocks (
  user_id uuid not null references users (id) on delete cascade,
  blocked_id uuid not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, blocked_id)
);
create index blocks_blocked on blocks (blocked_id);

-- What is swept: expired invites, and what was read of a room that is gone.
create index invites_expiry on invites (expires_at);
create index read_states_channel on read_states (channel_id);
