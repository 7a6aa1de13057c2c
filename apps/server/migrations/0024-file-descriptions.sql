-- Alternative text of a message's file; null where nobody gave one.
alter table attachments add column description text;
