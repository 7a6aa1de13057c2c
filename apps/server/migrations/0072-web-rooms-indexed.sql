-- Whether search engines may index the pages of a room that is on the web.
alter table web_rooms add column is_indexed boolean not null default true;
