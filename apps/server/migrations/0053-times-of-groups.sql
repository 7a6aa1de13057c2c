-- The groups of a log-in date from the provider's answer, and not from the moment at which the browser used it. Answers that are not
-- newer than this one change no roles. Null until a log-in after the linking had groups.
alter table identities drop column group_logins;
alter table identities add column groups_at timestamptz(3);

-- Unlinking takes what the provider gave.
create index member_roles_issuer on member_roles (user_id, issuer) where issuer is not null;
