-- Files: where they are stored, what they are, and the emojis and stickers that are made of them.

-- The tenant is a space, or a user or a conversation, whose files are always in the server's own storage.
create table storage_buckets (
  tenant_id uuid not null,
  id uuid not null,
  -- `s3` a space brings itself; `included` is its share of the server's own storage; `own`, which nobody is shown and
  -- whose id is its tenant's, holds what needs no bucket.
  kind text not null check (kind in ('s3', 'included', 'own')),
  name text not null default '',
  endpoint text not null default '',
  region text,
  bucket_name text not null default '',
  access_key_id text not null default '',
  -- Sealed with a key derived from SECRET_KEY.
  secret bytea,
  use_path_style boolean not null default false,
  max_bytes bigint check (max_bytes > 0),
  upload_limit_bytes bigint check (upload_limit_bytes > 0),
  -- Of all its attachments that are not deleted, reserved ones included: the row is locked by whoever changes it, so that
  -- uploads at the same time cannot pass the limit together.
  used_bytes bigint not null default 0 check (used_bytes >= 0),
  active boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- From then on its objects are swept, and at last the row.
  deleted_at timestamptz(3),
  primary key (tenant_id, id)
);
create unique index storage_buckets_active on storage_buckets (tenant_id) where active;
create index storage_buckets_deleted on storage_buckets (tenant_id, id) where deleted_at is not null;
create unique index storage_buckets_included on storage_buckets (tenant_id, kind)
  where kind <> 's3' and deleted_at is null;

-- A row is there before its object and goes after it: whatever is killed whenever, no object is forgotten.
create table attachments (
  tenant_id uuid not null,
  id uuid not null,
  bucket_id uuid not null,
  -- Who uploaded it.
  owner_id uuid not null,
  purpose text not null check (purpose in ('message', 'emoji', 'sticker', 'icon', 'banner', 'avatar')),
  -- reserved: room is kept, the object may be there or not; stored: the object is whole; live: something shows it;
  -- deleted: nothing does, the object may still be there; removed: the object is gone.
  state text not null check (state in ('reserved', 'stored', 'live', 'deleted', 'removed')),
  -- Of message files: the room they were uploaded to, then the message and their place in it.
  channel_id uuid,
  message_id uuid,
  place smallint not null default 0,
  filename text not null,
  content_type text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  width integer,
  height integer,
  animated boolean not null default false,
  created_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- When to look after it: the end of a reservation, or the next attempt to delete the object.
  sweep_at timestamptz(3),
  sweep_attempts smallint not null default 0,
  -- Until then its sender can write to the incoming place, which is emptied afterwards.
  incoming_until timestamptz(3),
  primary key (tenant_id, id)
);
create index attachments_id on attachments (id);
create index attachments_message on attachments (tenant_id, message_id, place) where message_id is not null;
create index attachments_channel on attachments (tenant_id, channel_id)
  where message_id is not null and state = 'live';
create index attachments_space_images on attachments (tenant_id, purpose, id)
  where purpose <> 'message' and state = 'live';
create index attachments_bucket on attachments (tenant_id, bucket_id, id);
create index attachments_pending on attachments (tenant_id, owner_id) where state in ('reserved', 'stored');
create index attachments_sweep on attachments (sweep_at) where sweep_at is not null;
create index attachments_incoming on attachments (incoming_until) where incoming_until is not null;

-- Emojis and stickers.
create table space_images (
  space_id uuid not null references spaces (id) on delete cascade,
  kind text not null check (kind in ('emoji', 'sticker')),
  id uuid not null,
  name text not null,
  attachment_id uuid not null,
  creator_id uuid not null,
  animated boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (space_id, kind, id)
);
create unique index space_images_name on space_images (space_id, kind, lower(name));
create index space_images_attachment on space_images (space_id, attachment_id);

alter table messages
  add column sticker_ids uuid[],
  -- Whether attachments name it: most do not, and then nobody looks for them.
  add column has_files boolean not null default false;
