-- Authenticator apps (TOTP): one for each account. A secret is sealed with SECRET_KEY.
create table totp (
  user_id uuid primary key,
  -- Null until the first one is confirmed by a code.
  secret bytea,
  -- A new one that is not confirmed yet.
  pending bytea,
  -- Period of the last accepted code: each code counts once.
  last_period bigint not null default 0,
  confirmed_at timestamptz(3)
);

-- Codes that each replace the app once. Only their MACs are stored.
create table recovery_codes (
  user_id uuid not null,
  mac text not null,
  primary key (user_id, mac)
);
