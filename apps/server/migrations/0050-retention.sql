-- Days for which messages are kept: of a space, and of a room, whose own number comes first. Null keeps them.

alter table spaces add column retention_days integer check (retention_days > 0);
alter table rooms add column retention_days integer check (retention_days > 0);

create index spaces_retention on spaces (id) where retention_days is not null;
create index rooms_retention on rooms (space_id, id) where retention_days is not null;
