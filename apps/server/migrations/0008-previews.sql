-- What links lead to, and the pictures of that.

alter table attachments drop constraint attachments_purpose_check;
alter table attachments add constraint attachments_purpose_check
  check (purpose in ('message', 'emoji', 'sticker', 'icon', 'banner', 'avatar', 'preview'));

-- What a link led to a while ago, for everybody who names it.
create table link_previews (
  url_hash bytea primary key,
  -- Its pictures are not copied yet. Null for a link that leads to nothing that can be shown.
  embed jsonb,
  -- Whether its host could not be asked: it is asked again soon.
  is_trouble boolean not null,
  expires_at timestamptz(3) not null
);
create index link_previews_expiry on link_previews (expires_at);

-- Copies of pictures, each of a tenant: those who see a message load nothing from strangers.
create table preview_pictures (
  tenant_id uuid not null,
  attachment_id uuid not null,
  -- Of the address that it was copied from.
  url_hash bytea not null,
  width integer,
  height integer,
  content_type text not null,
  size_bytes bigint not null,
  created_at timestamptz(3) not null default now(),
  -- When to look whether a message still shows it.
  check_at timestamptz(3) not null,
  primary key (tenant_id, attachment_id)
);
create index preview_pictures_url on preview_pictures (tenant_id, url_hash, created_at);
create index preview_pictures_age on preview_pictures (tenant_id, created_at);
create index preview_pictures_check on preview_pictures (check_at);

-- Which messages show which: forwarded ones may be elsewhere.
create table preview_picture_uses (
  tenant_id uuid not null,
  attachment_id uuid not null,
  message_tenant_id uuid not null,
  channel_id uuid not null,
  message_id uuid not null,
  primary key (tenant_id, attachment_id, message_tenant_id, channel_id, message_id)
);
