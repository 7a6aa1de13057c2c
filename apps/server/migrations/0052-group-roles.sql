-- Roles of a space that members of a group at a sign-in provider have.
create table group_roles (
  space_id uuid not null,
  id uuid not null,
  role_id uuid not null,
  issuer text not null,
  group_name text not null,
  -- Who set it: it counts while this member may give the role.
  set_by uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (space_id, id),
  foreign key (space_id, role_id) references roles (space_id, id) on delete cascade
);
create unique index group_roles_group on group_roles (space_id, role_id, issuer, md5(group_name));
create index group_roles_issuer on group_roles (issuer, group_name);

-- The provider whose groups gave the role. Null for what people gave.
alter table member_roles add column issuer text;

-- Log-ins with groups, counted: those of the last one count, also if the work of an older one is late.
alter table identities add column group_logins integer not null default 0;
