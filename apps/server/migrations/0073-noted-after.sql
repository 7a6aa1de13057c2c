-- The earliest of the room's follows began after this message; null if there is none. Changes of older messages concern no
-- copy. Zero as the default: processes of the version before, which do not know the column, may still add a follow.
alter table followed_rooms add column noted_after bigint default 0;
update followed_rooms set noted_after = (
  select min(after_seq) from room_follows
  where room_follows.space_id = followed_rooms.space_id and room_follows.room_id = followed_rooms.room_id
);

-- A webhook may have millions of marks. A job deletes them in pieces after the webhook.
alter table message_copies drop constraint message_copies_space_id_webhook_id_fkey;
