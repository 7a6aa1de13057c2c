-- The room in which the server posts who joined the space; null posts nothing. No foreign key: rooms point to spaces already, and a
-- room that is gone posts nothing either.
alter table spaces add column system_room_id uuid;
