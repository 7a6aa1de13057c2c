-- Certificates from an ACME server, and the attempts to get one, by host.
create table certificates (
  host text primary key,
  -- The ACME server that issued it. Null before the first one.
  directory text,
  -- PEM, the host's own certificate first.
  chain text,
  -- PEM, sealed for the host.
  private_key bytea,
  -- From then on it is renewed.
  renew_at timestamptz(3),
  -- The process that renews it has until then.
  leased_until timestamptz(3),
  -- The last attempt, and how many failed since one succeeded.
  tried_at timestamptz(3),
  failures integer not null default 0
);

-- Accounts at ACME servers. They are their keys.
create table acme_accounts (
  directory text primary key,
  -- PEM, sealed for the directory.
  private_key bytea not null
);

-- What an ACME server asks for to see that the host leads here. Any process may be asked.
create table acme_challenges (
  token text primary key,
  host text not null,
  -- http-01 or tls-alpn-01.
  kind text not null,
  key_authorization text not null,
  expires_at timestamptz(3) not null
);
create index acme_challenges_expiry on acme_challenges (expires_at);
