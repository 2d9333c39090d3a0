-- A tenant's keys, the newest first; and the key that took the place of one that was rolled.
alter table api_keys add column installer_id text references companies (id);
update api_keys k set installer_id = c.installer_id from companies c where c.id = k.company_id;
alter table api_keys alter column installer_id set not null;
alter table api_keys add column replaced_by text references api_keys (id);
create index api_keys_by_tenant on api_keys (installer_id, created_at, id);
create index api_keys_listed on api_keys (company_id, created_at, id);
drop index api_keys_by_company;

-- Calls of the interfaces for programs, for 14 days, a line each (domain/requests/lines.ts). What a key did within a second
-- or so is one row: a row and index entries for each call would cost the API twenty times as much. Partitions are days
-- of UTC; the server makes them ahead of time and drops the old ones (domain/requests/partitions.ts).
create table request_batches (
  installer_id text not null,
  key_id       text not null,
  -- of its last call; "ordinal" tells batches of one millisecond apart
  last_at      timestamptz(3) not null,
  ordinal      integer not null,
  first_at     timestamptz(3) not null,
  company_id   text not null,
  failures     integer not null,
  lines        text not null,
  primary key (installer_id, key_id, last_at, ordinal)
) partition by range (last_at);
-- Compressing would take longer than anything else about it.
alter table request_batches alter column lines set storage external;
create index request_batches_failed on request_batches (installer_id, key_id, last_at, ordinal) where failures > 0;

-- How often a key was used in an hour, and how often in vain.
create table api_key_hours (
  installer_id text not null,
  key_id       text not null,
  hour         timestamptz(3) not null,
  calls        integer not null,
  failures     integer not null,
  primary key (installer_id, key_id, hour)
);
