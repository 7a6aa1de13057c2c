-- Commands of applications, and what people do with bots. All of it belongs to the application, whose id is its bot's.

create table application_commands (
  application_id uuid not null references applications (id) on delete cascade,
  id uuid not null,
  name text not null,
  description text not null,
  options jsonb not null,
  -- In the order in which the bot named them.
  position smallint not null,
  primary key (application_id, id)
);
create unique index application_commands_name on application_commands (application_id, name);

create table interactions (
  id uuid primary key,
  application_id uuid not null references applications (id) on delete cascade,
  user_id uuid not null,
  nonce text,
  -- What the bot receives, but for the token, which is derived from the id and stands nowhere.
  interaction jsonb not null,
  -- The message whose component was used, if one was: `update` changes it.
  source_message_id uuid,
  -- open: waits for its answer; answering: the answer is being carried out; answered; failed: nobody answered in time.
  state text not null default 'open' check (state in ('open', 'answering', 'answered', 'failed')),
  created_at timestamptz(3) not null default now(),
  -- Until then one poller has it, and no other gets it.
  leased_until timestamptz(3),
  -- Until then who received it last may answer; null before anybody has.
  due_at timestamptz(3),
  -- From then on nobody can answer any more.
  fails_at timestamptz(3) not null,
  -- The message that the answer made or changed, and the modal that it showed.
  original_message_id uuid,
  modal jsonb
);
create index interactions_open on interactions (application_id, created_at, id) where state = 'open';
create index interactions_failing on interactions (fails_at) where state in ('open', 'answering');
create index interactions_age on interactions (created_at);

-- A retry within 24 hours finds here what the first try became.
create table interaction_nonces (
  user_id uuid not null,
  nonce text not null,
  interaction_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, nonce)
);
create index interaction_nonces_age on interaction_nonces (created_at);

-- Messages that one person alone sees, for as long as their interaction can be followed up: their components can be used,
-- and the bot can change them.
create table ephemeral_messages (
  id uuid primary key,
  application_id uuid not null references applications (id) on delete cascade,
  user_id uuid not null,
  message jsonb not null,
  expires_at timestamptz(3) not null
);
create index ephemeral_messages_expiry on ephemeral_messages (expires_at);
