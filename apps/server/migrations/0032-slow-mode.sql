alter table rooms add column slow_mode_seconds integer not null default 0;

-- The last message of each user who wrote in a room with slow mode. previous_at is the one before, to which a message that
-- could not be stored gives its turn back.
create table slow_mode_turns (
  space_id uuid not null,
  room_id uuid not null,
  user_id uuid not null,
  turn_id uuid not null,
  last_at timestamptz not null,
  previous_at timestamptz,
  primary key (space_id, room_id, user_id)
);
