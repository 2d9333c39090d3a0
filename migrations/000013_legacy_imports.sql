-- Companies are brought over from servers that speak the legacy API (docs/decisions/0044). A source is such a server and whose
-- records are read there, for one company here: how far the reading has come. The key is never kept.
create table legacy_sources (
  installer_id text not null,
  id           text not null,
  company_id   text not null,
  base_url     text not null,
  -- `installer_id=…` or `org_id=…`, as the lists are asked for
  scope        text not null,
  -- How often the lists were begun from their first page, and whether the last time ended.
  walk         integer not null,
  -- where it goes on: a list, and its next page; null at the beginning and after the end
  list         text,
  page         integer,
  -- Who works on it: a later run takes over, and the earlier one ends.
  runner       text not null,
  created_at   timestamptz(3) not null,
  ended_at     timestamptz(3),
  primary key (installer_id, id)
);
create unique index legacy_sources_by_address on legacy_sources (installer_id, company_id, base_url, scope);

-- What became of each record there. Of what it said only hashes are kept, to know later what has changed on either side.
create table legacy_records (
  installer_id text not null,
  source_id    text not null,
  kind         text not null check (kind in ('lead', 'project')),
  product_line text not null check (product_line in ('solar', 'hi')),
  legacy_id    text not null,
  -- null where it was refused
  lead_id      text,
  -- By what a lead and a project find each other, as neither names the other: the address of the project, the customer.
  link_key     text,
  customer_key text,
  -- by field
  marks        jsonb not null,
  walk         integer not null,
  outcome      text not null check (outcome in ('made', 'updated', 'unchanged', 'refused')),
  problems     jsonb not null,
  files        integer not null default 0,
  primary key (installer_id, source_id, kind, product_line, legacy_id)
);
create index legacy_records_by_link on legacy_records (installer_id, source_id, link_key) where link_key is not null;
create index legacy_records_by_customer on legacy_records (installer_id, source_id, customer_key)
  where customer_key is not null;
create index legacy_records_by_lead on legacy_records (installer_id, lead_id) where lead_id is not null;

-- Files that were copied once, by the hash of their address and by that of their contents: what was removed here since does not
-- come back, and what has another address each time it is read comes once.
create table legacy_files (
  installer_id text not null,
  project_id   text not null,
  folder       text not null,
  mark         text not null,
  primary key (installer_id, project_id, folder, mark)
);
