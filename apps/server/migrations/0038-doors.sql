-- While the door is closed, invites let nobody in. door_closed_by is null if the sensor closed it.
alter table spaces add column door_closed_at timestamptz(3);
alter table spaces add column door_closed_by uuid;
alter table spaces add column door_cause text;
-- When the door was opened last. A raid before that is decided about.
alter table spaces add column door_opened_at timestamptz(3);
-- The sensor closes the door in a raid: raid_sensor_joins in a minute, or three times what is usual in the space.
alter table spaces add column raid_sensor boolean not null default false;
alter table spaces add column raid_sensor_joins integer not null default 20;
-- The joins of the busiest minute of a usual day, and when they were counted.
alter table spaces add column usual_joins integer;
alter table spaces add column usual_joins_at timestamptz;
-- Whom a moderator has let in, a closing door does not hold.
alter table members add column was_let_in boolean not null default false;

-- Those who joined in a raid, or came to the closed door. They are no members until a moderator lets them in: let_in_at is set
-- then, and a job does it. has_left: they do not wait, but what they wrote can be removed with the others'.
create table newcomers (
  space_id uuid not null,
  user_id uuid not null,
  joined_at timestamptz(3) not null,
  waiting_since timestamptz(3) not null default now(),
  is_temporary boolean not null default false,
  -- False for those who came to the closed door.
  was_member boolean not null,
  has_left boolean not null default false,
  let_in_at timestamptz,
  primary key (space_id, user_id)
);

create index newcomers_user on newcomers (user_id);
create index newcomers_left on newcomers (waiting_since) where has_left;
