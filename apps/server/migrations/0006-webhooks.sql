-- Webhooks: whoever has a webhook's token posts into its room, as the webhook.

create table webhooks (
  space_id uuid not null references spaces (id) on delete cascade,
  id uuid not null,
  room_id uuid not null,
  name text not null,
  avatar uuid,
  creator_id uuid not null,
  -- Sealed with a key derived from SECRET_KEY, with the webhook's id as its context: it is shown again.
  token bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (space_id, id),
  foreign key (space_id, room_id) references rooms (space_id, id) on delete cascade
);
create index webhooks_id on webhooks (id);
create index webhooks_room on webhooks (space_id, room_id);

-- The pictures that a space's webhooks show, or have shown: messages keep the picture that they were sent under, also
-- when the webhook has another by now, or is gone. A space keeps so many; those that were used longest ago go first.
create table webhook_pictures (
  space_id uuid not null references spaces (id) on delete cascade,
  attachment_id uuid not null,
  webhook_id uuid not null,
  -- Of the address that it was fetched from; null for what was uploaded, and for what was fetched again since.
  url_hash bytea,
  fetched_at timestamptz(3) not null default now(),
  used_at timestamptz(3) not null default now(),
  primary key (space_id, attachment_id)
);
create unique index webhook_pictures_url on webhook_pictures (space_id, webhook_id, url_hash)
  where url_hash is not null;
create index webhook_pictures_use on webhook_pictures (space_id, used_at);
