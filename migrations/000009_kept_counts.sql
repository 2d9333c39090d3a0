-- How many records the lists of the catalogue API hold, by what they are filtered by: a list says its total without
-- counting it. `changes` grows with every record that comes, goes or moves: while it is the same, so are the pages.
alter table panel_counts add column changes bigint not null default 0;

create table installation_counts (
  installer_id  text not null references companies (id),
  company_id    text not null references companies (id),
  region        text not null,
  installations integer not null,
  changes       bigint not null default 0,
  primary key (installer_id, company_id, region)
);

create table invoice_counts (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  status       text not null check (status in ('draft', 'open', 'paid', 'void')),
  invoices     integer not null,
  changes      bigint not null default 0,
  primary key (installer_id, company_id, status)
);

create table alert_counts (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  status       text not null check (status in ('active', 'acknowledged', 'resolved')),
  severity     text not null check (severity in ('low', 'medium', 'high', 'critical')),
  alerts       integer not null,
  changes      bigint not null default 0,
  primary key (installer_id, company_id, status, severity)
);

insert into installation_counts (installer_id, company_id, region, installations)
  select installer_id, company_id, region, count(*) from installations group by 1, 2, 3;
insert into invoice_counts (installer_id, company_id, status, invoices)
  select installer_id, company_id, status, count(*) from invoices group by 1, 2, 3;
insert into alert_counts (installer_id, company_id, status, severity, alerts)
  select installer_id, company_id, status, severity, count(*) from alerts group by 1, 2, 3, 4;

-- Each set of filters has an index that holds its list in order.
create index alerts_by_severity on alerts (installer_id, severity, triggered_at, id);
create index alerts_by_status_severity on alerts (installer_id, status, severity, triggered_at, id);
create index alerts_by_company_status on alerts (installer_id, company_id, status, triggered_at, id);
create index alerts_by_company_severity on alerts (installer_id, company_id, severity, triggered_at, id);
create index alerts_by_company_status_severity on alerts (installer_id, company_id, status, severity, triggered_at, id);
