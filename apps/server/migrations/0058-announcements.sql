-- Banners that operators show to everybody. At most a few rows at once: those that have not ended, and those that a sweep deletes next.
create table announcements (
  id uuid primary key,
  kind text not null,
  text text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  -- Of the text and kind. A person who has closed the banner sees it again after such a change.
  edited_at timestamptz(3) not null,
  created_at timestamptz not null default now()
);
