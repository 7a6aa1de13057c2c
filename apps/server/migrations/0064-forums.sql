-- Forums: rooms without messages of their own, whose entries are threads, called posts.

alter table rooms drop constraint rooms_type_check;
alter table rooms add constraint rooms_type_check check (type in (1, 2, 3, 5));

-- The settings of a forum; null for other rooms.
alter table rooms add column forum jsonb;

-- A thread of a forum is also a post. These columns are apart from thread_rooms, whose rows each message rewrites.
create table posts (
  space_id uuid not null,
  id uuid not null,
  room_id uuid not null,
  -- Of deleted tags, too, which readers leave out: a tag may be on a hundred thousand posts.
  tag_ids uuid[] not null default '{}',
  solved_message_id uuid,
  is_pinned boolean not null default false,
  created_at timestamptz(3) not null default now(),
  primary key (space_id, id)
);
create index posts_created on posts (space_id, room_id, created_at desc, id desc);
create index posts_tags on posts using gin (tag_ids);
create index posts_solved on posts (space_id, room_id, id) where solved_message_id is not null;
create index posts_pinned on posts (space_id, room_id) where is_pinned;

-- Words of the titles of posts, to find similar ones. Of each word, the newest posts are read.
create table post_words (
  space_id uuid not null,
  room_id uuid not null,
  word text not null,
  post_id uuid not null,
  primary key (space_id, room_id, word, post_id)
);
create index post_words_post on post_words (space_id, post_id);
