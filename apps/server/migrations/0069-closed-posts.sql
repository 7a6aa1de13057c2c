-- Lists of closed posts by their creation: a forum may have closed its oldest posts only, or hardly any. Open threads, whose rows each
-- message rewrites, are not in it.
create index thread_rooms_closed on thread_rooms (space_id, room_id, created_at desc, id desc) where is_closed;
