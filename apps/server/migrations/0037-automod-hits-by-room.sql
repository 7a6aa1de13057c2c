-- For pages of hits in the rooms that a moderator views, of all rules and of one.
create index automod_hits_room on automod_hits (space_id, room_id, id);
create index automod_hits_rule_room on automod_hits (space_id, rule_id, room_id, id);
drop index automod_hits_rule;
