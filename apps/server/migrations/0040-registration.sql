-- Settings that operators change at run time. The environment decides about those that are null.
create table server_settings (
  is_only boolean primary key default true check (is_only),
  registration_mode text,
  registration_question text,
  registration_domains text[],
  -- When an account needs a solved puzzle.
  signup_puzzle text,
  updated_at timestamptz not null default now()
);

-- People who want an account. Approval makes a row of users, with the same id.
create table registrations (
  id uuid primary key,
  username text not null,
  email text not null,
  password_hash text not null,
  alias text,
  birthdate date,
  question text,
  answer text,
  created_at timestamptz not null default now()
);

create unique index registrations_username on registrations (lower(username));
create unique index registrations_email on registrations (lower(email));

-- Invites to the server.
create table operator_invites (
  id uuid primary key,
  code text not null,
  note text,
  max_uses integer not null,
  uses integer not null default 0,
  created_by uuid,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);

create unique index operator_invites_code on operator_invites (code);
