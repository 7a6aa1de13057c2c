-- The second field of rights. What every member could do before stays with @everyone of each space.
alter table roles add column capabilities integer not null default 0;
alter table room_overwrites add column allow_capabilities integer not null default 0;
alter table room_overwrites add column deny_capabilities integer not null default 0;

-- AttachFiles, AddReactions, EmbedLinks, CreateThreads, UseVideo, ShareScreen, CreatePolls.
update roles set capabilities = (1 << 8) | (1 << 9) | (1 << 10) | (1 << 11) | (1 << 13) | (1 << 14) | (1 << 17)
where id = space_id;
