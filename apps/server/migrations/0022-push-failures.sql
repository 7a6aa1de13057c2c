-- Pushes to a browser that failed since the latest success, counted once a minute: an address that keeps failing is forgotten.
alter table push_subscriptions
  add column failures integer not null default 0,
  add column failing_since timestamptz(3),
  add column failed_at timestamptz(3);
