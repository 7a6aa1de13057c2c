-- Fresh proofs that the owner of an account is there, for accounts without a password. Each counts once, in its session.
create table owner_proofs (
  -- Of the token, which only the client has.
  hash bytea primary key,
  user_id uuid not null,
  session_id uuid not null,
  -- passkey or provider.
  kind text not null,
  -- False until the provider has confirmed it.
  is_confirmed boolean not null,
  expires_at timestamptz(3) not null
);
create index owner_proofs_expiry on owner_proofs (expires_at);

-- The session that a passkey proves its owner for. Null for adding a passkey and for a login.
alter table passkey_challenges add column session_id uuid;
