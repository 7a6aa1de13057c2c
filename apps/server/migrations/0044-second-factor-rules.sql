-- True for a session that was opened, or confirmed later, with a second factor.
alter table sessions add column has_second_factor boolean not null default false;
-- Moderation of the space then needs such a session.
alter table spaces add column needs_second_factor boolean not null default false;
-- nobody, operators or everybody; null is nobody.
alter table server_settings add column second_factor_for text;
