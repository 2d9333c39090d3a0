-- Installations and their panels, as the catalogue API has them.

create table installations (
  installer_id text not null references companies (id),
  id           text not null,
  company_id   text not null references companies (id),
  -- where it came from a project
  project_id   text,
  name         text not null,
  address      text not null,
  region       text not null,
  timezone     text not null,
  -- as it was stated; null: what its panels have together
  capacity_kw  numeric(14, 4),
  panel_count  integer not null default 0,
  panels_kw    numeric(16, 4) not null default 0,
  version      bigint not null default 1,
  created_at   timestamptz(3) not null,
  primary key (installer_id, id),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);
create index installations_by_company on installations (installer_id, company_id, id);
create index installations_by_region on installations (installer_id, region, id);
create index installations_by_company_region on installations (installer_id, company_id, region, id);
create unique index installations_by_project on installations (installer_id, project_id) where project_id is not null;

create table panels (
  installer_id    text not null references companies (id),
  id              text not null,
  company_id      text not null references companies (id),
  installation_id text not null,
  name            text not null,
  capacity_kw     numeric(14, 4) not null,
  status          text not null check (status in ('active', 'inactive', 'maintenance')),
  -- kept as it was written, to be read as it is: jsonb would write 1e300 out in 300 digits
  metadata        json not null default '{}',
  version         bigint not null default 1,
  created_at      timestamptz(3) not null,
  -- a deleted panel is in no list; what it made stays in its installation's history
  deleted_at      timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, installation_id) references installations (installer_id, id)
);
create index panels_in_order on panels (installer_id, id) where deleted_at is null;
create index panels_by_status on panels (installer_id, status, id) where deleted_at is null;
create index panels_by_company on panels (installer_id, company_id, id) where deleted_at is null;
create index panels_by_company_status on panels (installer_id, company_id, status, id) where deleted_at is null;
create index panels_by_installation on panels (installer_id, installation_id, id);

-- How many panels a company has in each status: a list says its total without counting it.
create table panel_counts (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  status       text not null check (status in ('active', 'inactive', 'maintenance')),
  panels       integer not null,
  primary key (installer_id, company_id, status)
);

-- What a record other than a lead or a project was when the event happened.
alter table events add column data jsonb;

-- The installation that a finished project became.
alter table projects add column installation_id text;
