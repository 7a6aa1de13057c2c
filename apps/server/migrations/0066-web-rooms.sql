-- Rooms that people without an account can read on the web.
create table web_rooms (
  space_id uuid not null,
  room_id uuid not null,
  -- Messages from then on can be read.
  since timestamptz(3) not null default now(),
  -- From this moment also all earlier ones. The members are told a week ahead, and can leave themselves out first.
  whole_from timestamptz(3),
  opened_by uuid,
  primary key (space_id, room_id)
);

-- How a user appears there: 0 with name and picture, 1 without them, 2 not at all.
alter table users add column web_presence smallint not null default 0 check (web_presence between 0 and 2);

-- Whether the server has such pages at all.
alter table server_settings add column public_pages boolean not null default false;
