-- Times at which the chosen status and the status text of a user end by themselves; null for those without an end.
alter table users
  add column chosen_until timestamptz,
  add column custom_until timestamptz;
