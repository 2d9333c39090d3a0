-- Alerts are asked for by their type, too.
create table alert_counts_by_type (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  status       text not null check (status in ('active', 'acknowledged', 'resolved')),
  severity     text not null check (severity in ('low', 'medium', 'high', 'critical')),
  type         text not null check (type in ('outage', 'underperformance', 'data_gap', 'anomaly')),
  alerts       integer not null,
  changes      bigint not null default 0,
  primary key (installer_id, company_id, status, severity, type)
);
insert into alert_counts_by_type (installer_id, company_id, status, severity, type, alerts)
  select installer_id, company_id, status, severity, type, count(*) from alerts group by 1, 2, 3, 4, 5;
drop table alert_counts;
alter table alert_counts_by_type rename to alert_counts;

-- A severity besides is looked for among those of a type, in the index itself.
create index alerts_by_type on alerts (installer_id, type, triggered_at, id) include (severity);
create index alerts_by_type_status on alerts (installer_id, type, status, triggered_at, id) include (severity);
create index alerts_by_company_type on alerts (installer_id, company_id, type, triggered_at, id) include (severity);
create index alerts_by_company_type_status on alerts (installer_id, company_id, type, status, triggered_at, id)
  include (severity);
