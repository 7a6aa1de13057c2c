-- Accounts at sign-in providers (OpenID Connect) that let their people in here. A subject is unique for its issuer.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  -- The username there, as the provider wrote it when the identity was linked. Shown to its person only.
  name text,
  created_at timestamptz(3) not null default now(),
  primary key (issuer, subject)
);
create unique index identities_user on identities (user_id, issuer);

-- The identity that opened the session, and the session at the provider. Null for a log-in with a password.
alter table sessions
  add column issuer text,
  add column subject text,
  add column provider_session text;
create index sessions_identity on sessions (issuer, subject) where issuer is not null;
create index sessions_provider_session on sessions (issuer, provider_session) where provider_session is not null;

-- Hashes of tickets, states and logout tokens that count once, until they are out of date.
create table spent_oidc_tokens (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index spent_oidc_tokens_expiry on spent_oidc_tokens (expires_at);

-- An application for an account may come from an identity: it then has no password.
alter table registrations
  alter column password_hash drop not null,
  add column issuer text,
  add column subject text,
  add column identity_name text,
  add column email_verified boolean not null default false;
create unique index registrations_identity on registrations (issuer, subject) where issuer is not null;

-- The provider whose groups made the person an operator. Null for those that people made.
alter table operators add column issuer text;
