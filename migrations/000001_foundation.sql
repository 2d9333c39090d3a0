-- The ground: companies and keys are small and global; everything else belongs to one
-- installer (the tenant), whose id stands first in every key and index.

create table settings (
  name  text primary key,
  value text not null
);

create sequence company_numbers start 1001;

create table companies (
  id           text primary key,
  installer_id text not null references companies (id),
  kind         text not null check (kind in ('installer', 'dealer')),
  number       integer not null unique default nextval('company_numbers'),
  name         text not null,
  timezone     text not null,
  status       text not null default 'active' check (status in ('active', 'suspended')),
  created_at   timestamptz(3) not null,
  check ((kind = 'installer') = (id = installer_id))
);
create index companies_by_installer on companies (installer_id, number);

create table api_keys (
  id           text primary key,
  company_id   text not null references companies (id),
  name         text not null,
  prefix       text not null,
  hash         bytea not null unique,
  access       text not null check (access in ('full', 'read')),
  interfaces   text[] not null check (interfaces <@ array['company', 'legacy', 'catalog'] and cardinality(interfaces) > 0),
  created_at   timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at   timestamptz(3),
  revoked_at   timestamptz(3)
);
create index api_keys_by_company on api_keys (company_id, created_at);

-- One row a tenant. Every write advances "now" inside its transaction, so the row is the tenant's
-- clock and its lock. "directory_version" counts the changes of what renderings are made from
-- besides the record itself: companies, members and ladders.
create table tenant_clocks (
  installer_id      text primary key references companies (id),
  now               timestamptz(3) not null,
  directory_version bigint not null default 0
);

create table members (
  installer_id   text not null references companies (id),
  id             text not null,
  company_id     text not null references companies (id),
  email          text not null,
  name           text not null,
  phone          text,
  role           text not null check (role in ('owner', 'admin', 'manager', 'rep', 'setter', 'surveyor', 'subcontractor')),
  created_at     timestamptz(3) not null,
  deactivated_at timestamptz(3),
  primary key (installer_id, id)
);
create unique index members_by_email on members (installer_id, company_id, lower(email));

create table stages (
  installer_id text not null references companies (id),
  id           text not null,
  product_line text not null check (product_line in ('solar', 'hi')),
  position     integer not null,
  name         text not null,
  milestone    text,
  days_allowed integer,
  checklist    text[] not null default '{}',
  alerts       text[] not null default '{}',
  messages     jsonb not null default '[]',
  retired_at   timestamptz(3),
  primary key (installer_id, id)
);
create unique index stages_by_name on stages (installer_id, product_line, lower(name)) where retired_at is null;

create table leads (
  installer_id   text not null references companies (id),
  id             text not null,
  company_id     text not null references companies (id),
  reference      text,
  product_line   text not null check (product_line in ('solar', 'hi')),
  status         text not null check (status in ('new', 'contacted', 'nurture', 'appointmentSet', 'proposalSent', 'sold', 'lost', 'unqualified')),
  archived       boolean not null default false,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  first_name     text,
  last_name      text,
  email          text,
  phone          text,
  phone_e164     text,
  co_first_name  text,
  co_last_name   text,
  co_email       text,
  co_phone       text,
  line1          text,
  line2          text,
  city           text,
  state          text,
  postal_code    text,
  country        text,
  utility_name   text,
  monthly_bill   numeric(12, 2),
  source_name    text,
  sub_source     text,
  external_id    text,
  notes          text,
  sales_rep_id   text,
  setter_id      text,
  project_id     text,
  rendering      text not null,
  primary key (installer_id, id),
  foreign key (installer_id, sales_rep_id) references members (installer_id, id),
  foreign key (installer_id, setter_id) references members (installer_id, id),
  check ((status = 'sold') = (project_id is not null))
) with (toast_tuple_target = 8160, fillfactor = 90);
create index leads_by_change on leads (installer_id, updated_at);
create index leads_by_line_change on leads (installer_id, product_line, updated_at);
create index leads_by_company_change on leads (installer_id, company_id, updated_at);
create index leads_by_company_line_change on leads (installer_id, company_id, product_line, updated_at);
create unique index leads_by_reference on leads (installer_id, reference) where reference is not null;
create unique index leads_by_external_id on leads (installer_id, company_id, external_id) where external_id is not null;
create index leads_by_sales_rep on leads (installer_id, sales_rep_id) where sales_rep_id is not null;
create index leads_by_setter on leads (installer_id, setter_id) where setter_id is not null;

create table projects (
  installer_id       text not null references companies (id),
  id                 text not null,
  lead_id            text not null,
  company_id         text not null references companies (id),
  reference          text,
  product_line       text not null check (product_line in ('solar', 'hi')),
  stage_id           text not null,
  stage_entered_at   timestamptz(3),
  sold_at            timestamptz(3),
  updated_at         timestamptz(3) not null,
  ntp_granted        boolean not null default false,
  notes              text,
  project_manager_id text,
  site_surveyor_id   text,
  subcontractor_id   text,
  contract_signed_at timestamptz(3),
  contract_price     numeric(14, 2),
  financing          jsonb not null,
  system             jsonb,
  products           jsonb,
  milestones         jsonb not null default '{}',
  proposal_token     text,
  row_rendering      text not null,
  rendering          text not null,
  -- what a dealer's key reads, where that differs (it does not see internal files)
  dealer_rendering   text,
  primary key (installer_id, id),
  foreign key (installer_id, lead_id) references leads (installer_id, id),
  foreign key (installer_id, stage_id) references stages (installer_id, id),
  foreign key (installer_id, project_manager_id) references members (installer_id, id),
  foreign key (installer_id, site_surveyor_id) references members (installer_id, id),
  foreign key (installer_id, subcontractor_id) references members (installer_id, id),
  check ((product_line = 'solar') = (system is not null)),
  check ((product_line = 'hi') = (products is not null))
) with (toast_tuple_target = 8160, fillfactor = 90);
create unique index projects_by_lead on projects (installer_id, lead_id);
create index projects_by_change on projects (installer_id, updated_at);
create index projects_by_line_change on projects (installer_id, product_line, updated_at);
create index projects_by_company_change on projects (installer_id, company_id, updated_at);
create index projects_by_company_line_change on projects (installer_id, company_id, product_line, updated_at);
create unique index projects_by_reference on projects (installer_id, reference) where reference is not null;
create index projects_by_stage on projects (installer_id, stage_id);
create index projects_by_project_manager on projects (installer_id, project_manager_id) where project_manager_id is not null;
create index projects_by_site_surveyor on projects (installer_id, site_surveyor_id) where site_surveyor_id is not null;
create index projects_by_subcontractor on projects (installer_id, subcontractor_id) where subcontractor_id is not null;

-- A lead's feed; a project's activity is in its lead's.
create table activities (
  installer_id    text not null,
  id              text not null,
  lead_id         text not null,
  project_id      text,
  company_id      text not null,
  at              timestamptz(3) not null,
  ordinal         smallint not null,
  type            text not null,
  body            text not null,
  internal        boolean not null,
  customer_facing boolean not null,
  reply_to        text,
  member_id       text,
  author          text,
  primary key (installer_id, id),
  foreign key (installer_id, lead_id) references leads (installer_id, id)
);
create index activities_by_lead on activities (installer_id, lead_id, at, ordinal);

-- What happened, in commit order; feeds webhooks, live updates and the audit log.
create table events (
  installer_id text not null,
  at           timestamptz(3) not null,
  ordinal      smallint not null,
  type         text not null,
  company_id   text not null,
  lead_id      text,
  project_id   text,
  subject_id   text not null,
  actor_kind   text not null check (actor_kind in ('key', 'member', 'job')),
  actor_id     text,
  actor_name   text,
  changes      jsonb not null default '{}',
  primary key (installer_id, at, ordinal)
);

create table checklist_items (
  installer_id text not null,
  project_id   text not null,
  stage_id     text not null,
  ordinal      smallint not null,
  label        text not null,
  done_at      timestamptz(3),
  done_by      text,
  primary key (installer_id, project_id, stage_id, label),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);

create table calendar_entries (
  installer_id text not null,
  project_id   text not null,
  kind         text not null check (kind in ('install', 'survey')),
  day          date not null,
  primary key (installer_id, project_id, kind),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);
create index calendar_by_day on calendar_entries (installer_id, day);

create table notifications (
  installer_id text not null,
  id           text not null,
  member_id    text not null,
  at           timestamptz(3) not null,
  text         text not null,
  project_id   text,
  read_at      timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, member_id) references members (installer_id, id)
);
create index notifications_by_member on notifications (installer_id, member_id, at);

create table mails (
  installer_id    text not null,
  id              text not null,
  company_id      text not null,
  to_address      text not null,
  subject         text not null,
  body            text not null,
  created_at      timestamptz(3) not null,
  state           text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts        integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  sent_at         timestamptz(3),
  last_error      text,
  primary key (installer_id, id)
);
create index mails_queued on mails (installer_id, next_attempt_at) where state = 'queued';

create table files (
  installer_id text not null,
  id           text not null,
  project_id   text not null,
  company_id   text not null,
  folder       text not null check (folder in ('contract', 'utilityBill', 'identification', 'material', 'siteSurvey', 'planset', 'permit', 'interconnection', 'other', 'homeInsurance', 'installationPhoto', 'internal')),
  name         text not null,
  source_url   text not null,
  source_hash  bytea not null,
  store_key    text not null,
  token        text not null,
  type         text not null,
  extension    text not null,
  inline       boolean not null,
  size         bigint not null,
  sha256       bytea not null,
  added_at     timestamptz(3) not null,
  ordinal      smallint not null,
  revoked_at   timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);
create unique index files_by_source on files (installer_id, project_id, folder, source_hash) where revoked_at is null;
create unique index files_by_token on files (installer_id, token);
create index files_by_store_key on files (installer_id, store_key);

create table adders (
  installer_id     text not null references companies (id),
  id               text not null,
  position         integer not null,
  name             text not null,
  description      text,
  product_line     text not null check (product_line in ('solar', 'hi')),
  product_kind     text check (product_kind in ('roofing', 'windows', 'doors', 'siding', 'insulation', 'hvac', 'waterHeater', 'electrical', 'battery', 'evCharger', 'other')),
  unit             text not null check (unit in ('perWatt', 'flat', 'each', 'perPanel', 'perFoot', 'perSquareFoot')),
  unit_price       numeric(14, 4) not null,
  tiered           boolean not null,
  rep_sponsored    boolean not null,
  show_on_proposal boolean not null,
  brand            text,
  model            text,
  warranty_years   integer,
  active           boolean not null default true,
  rendering        text not null,
  primary key (installer_id, id)
);
create index adders_in_order on adders (installer_id, position, id);

create table equipment (
  installer_id            text not null references companies (id),
  id                      text not null,
  position                integer not null,
  kind                    text not null check (kind in ('panel', 'inverter', 'battery')),
  manufacturer            text not null,
  model                   text,
  is_default              boolean not null,
  watts                   numeric(10, 2),
  efficiency_percent      numeric(6, 3),
  rated_output_watts      numeric(10, 2),
  microinverter           boolean,
  capacity_kwh            numeric(10, 3),
  continuous_output_watts numeric(10, 2),
  warranty_years          integer,
  active                  boolean not null default true,
  rendering               text not null,
  primary key (installer_id, id)
);
create index equipment_in_order on equipment (installer_id, kind, position, id);
