-- The number of people who can join with an invite; 0 for any number.
alter table invites add column max_uses integer not null default 0;
