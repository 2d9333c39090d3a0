-- What is wrong with panels and installations, found by comparing what they make.
create table alerts (
  installer_id       text not null references companies (id),
  id                 text not null,
  company_id         text not null references companies (id),
  installation_id    text not null,
  -- null: the whole installation
  panel_id           text,
  type               text not null check (type in ('outage', 'underperformance', 'data_gap')),
  severity           text not null check (severity in ('low', 'medium', 'high', 'critical')),
  status             text not null check (status in ('active', 'acknowledged', 'resolved')),
  title              text not null,
  description        text not null,
  recommended_action text not null,
  -- what the panel usually made of what its siblings made, before this: it is well again when it does so again
  usual_ratio        real,
  version            bigint not null default 1,
  triggered_at       timestamptz(3) not null,
  acknowledged_at    timestamptz(3),
  resolved_at        timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, installation_id) references installations (installer_id, id),
  foreign key (installer_id, panel_id) references panels (installer_id, id),
  check ((status = 'resolved') = (resolved_at is not null))
);
-- A fault is told once, however often it is found.
create unique index alerts_open on alerts (installer_id, installation_id, type, panel_id) nulls not distinct
  where status <> 'resolved';
create index alerts_by_installation on alerts (installer_id, installation_id, resolved_at);
create index alerts_in_order on alerts (installer_id, triggered_at, id);
create index alerts_by_status on alerts (installer_id, status, triggered_at, id);
create index alerts_by_company on alerts (installer_id, company_id, triggered_at, id);
