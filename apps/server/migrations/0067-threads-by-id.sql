-- Pages that are read without an account list the threads of a room by their creation.
create index thread_rooms_of_room on thread_rooms (space_id, room_id, id);
