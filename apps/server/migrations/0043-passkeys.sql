-- Passkeys: keys on people's devices that log in without a password. Only their public halves are here.
create table passkeys (
  id uuid primary key,
  user_id uuid not null,
  credential_id bytea not null unique,
  -- In COSE.
  public_key bytea not null,
  -- Uses, as the device counts them; 0 for one that does not.
  counter bigint not null,
  -- Ways to reach the device, for the browser.
  transports text[] not null,
  name text not null,
  is_backed_up boolean not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index passkeys_user on passkeys (user_id);

-- What a device has to sign, once: for the account that adds a passkey, or for a login by whoever has one.
create table passkey_challenges (
  challenge bytea primary key,
  user_id uuid,
  expires_at timestamptz(3) not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
