-- What protected an account just before a change, for the way back that is mailed to its owner.
create table account_snapshots (
  -- In the order of changes: they lock the user first.
  id bigint generated always as identity primary key,
  user_id uuid not null,
  change text not null,
  -- The client that made the change.
  device text not null,
  address text not null,
  -- Null until the mail is sent. Only the hash is stored.
  token_hash bytea unique,
  email text not null,
  -- The authenticator app as in totp, sealed; null without one.
  secret bytea,
  last_period bigint not null,
  confirmed_at timestamptz(3),
  -- MACs.
  recovery_codes text[] not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index account_snapshots_user on account_snapshots (user_id, id);
create index account_snapshots_expiry on account_snapshots (expires_at);

-- Devices that have logged in to an account, by MACs of their kind and network.
create table known_devices (
  user_id uuid not null,
  mac text not null,
  last_used_at timestamptz(3) not null default now(),
  primary key (user_id, mac)
);
create index known_devices_last_use on known_devices (last_used_at);
