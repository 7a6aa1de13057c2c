-- Processes that carry voice; one that was not seen for a while is gone, and its sessions with it.
create table voice_hosts (
  id uuid primary key,
  sessions integer not null,
  seen_at timestamptz not null default now()
);

-- Who is in which voice room or call: at most one place a user.
create table voice_states (
  user_id uuid primary key,
  tenant_id uuid not null,
  channel_id uuid not null,
  session_id uuid not null unique,
  login_id uuid not null,
  host_id uuid not null,
  self_mute boolean not null,
  self_deaf boolean not null,
  self_video boolean not null,
  self_stream boolean not null,
  joined_at timestamptz not null default now()
);
create index voice_states_by_channel on voice_states (tenant_id, channel_id);
create index voice_states_by_host on voice_states (host_id);

-- Lasts longer than a stay in a room: who is muted comes back muted.
alter table members
  add column voice_mute boolean not null default false,
  add column voice_deaf boolean not null default false;

-- Calls under way, of conversations.
create table calls (
  tenant_id uuid primary key,
  initiator_id uuid not null,
  ringing uuid[] not null,
  participant_ids uuid[] not null,
  started_at timestamptz not null default now(),
  ring_until timestamptz not null
);
create index calls_by_ring on calls (ring_until) where ringing <> '{}';

-- Of messages of type 3.
alter table messages add column call jsonb;
