-- A process that missed what others published reads what was journaled since then, whatever it is about. Ids grow with
-- time: new entries go to the index's last page, which costs the senders about a microsecond of the database's time each.
create index events_by_time on events (id);
