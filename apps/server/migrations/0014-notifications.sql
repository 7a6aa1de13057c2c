-- Of which messages somebody is told, where they chose it: of a space, one of its rooms, or a conversation.
create table notification_settings (
  tenant_id uuid not null,
  channel_id uuid not null,
  user_id uuid not null,
  scope text not null,
  level text,
  muted_until timestamptz(3),
  primary key (tenant_id, channel_id, user_id)
);
create index notification_settings_user on notification_settings (user_id);
-- Whom every message of a place concerns.
create index notification_settings_all on notification_settings (tenant_id, channel_id, user_id) where level = 'all';

-- Browsers that are pushed to, each as long as the login in it lasts.
create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null,
  session_id uuid not null references sessions (id) on delete cascade,
  -- Of the endpoint, which may be longer than an index takes.
  endpoint_hash bytea not null unique,
  endpoint text not null,
  public_key bytea not null,
  auth_secret bytea not null,
  created_at timestamptz(3) not null default now()
);
create index push_subscriptions_user on push_subscriptions (user_id, id);
create index push_subscriptions_session on push_subscriptions (session_id);
