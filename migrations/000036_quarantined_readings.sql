-- Readings that no panel of that capacity can make in their time: kept and shown, and in no total. One that waits is
-- released or dropped by a person, or replaced by a value sent later, and is then gone from here; a dropped one stays,
-- so that sending it again does not bring it back.
create table quarantined_readings (
  installer_id    text not null references companies (id),
  id              text not null,
  company_id      text not null references companies (id),
  installation_id text not null,
  panel_id        text not null,
  at              timestamptz(3) not null,
  microkwh        bigint not null,
  -- what the panel could have made at most, and in how much time
  most_microkwh   bigint not null,
  interval_ms     bigint not null,
  state           text not null check (state in ('waiting', 'dropped')),
  received_at     timestamptz(3) not null,
  primary key (installer_id, id),
  unique (installer_id, panel_id, at),
  foreign key (installer_id, installation_id) references installations (installer_id, id),
  foreign key (installer_id, panel_id) references panels (installer_id, id)
);
-- Which panels are to be looked at closely when readings of a time come.
create index quarantined_readings_by_time on quarantined_readings (installer_id, at);
create index quarantined_readings_waiting on quarantined_readings (installer_id, id) where state = 'waiting';
create index quarantined_readings_waiting_by_company on quarantined_readings (installer_id, company_id, id)
  where state = 'waiting';
create index quarantined_readings_waiting_by_installation on quarantined_readings (installer_id, installation_id, id)
  where state = 'waiting';

create table quarantine_counts (
  installer_id    text not null references companies (id),
  company_id      text not null references companies (id),
  installation_id text not null,
  readings        integer not null,
  changes         bigint not null default 0,
  primary key (installer_id, company_id, installation_id)
);
create index quarantine_counts_by_installation on quarantine_counts (installer_id, installation_id);

-- The time of the day's last reading: what the next one can be is held against the time since. Null for days from
-- before it was kept, whose readings are looked at themselves.
alter table panel_days add column last_at timestamptz(3);
