-- How complete a month of an installation is: the hours of daylight in which its panels should have reported and in
-- which they did, day by day. Counted when it is first asked for, and forgotten when readings of it or of the month
-- before come.
create table coverage_months (
  installer_id    text not null references companies (id),
  installation_id text not null,
  month           date not null,
  -- of the installation, whose panels it is about
  version         bigint not null,
  expected        real[] not null,
  covered         real[] not null,
  expected_hours  real not null,
  covered_hours   real not null,
  primary key (installer_id, installation_id, month),
  foreign key (installer_id, installation_id) references installations (installer_id, id) on delete cascade
);

-- A month of which less than this came in is held.
alter table billing_plans add column completeness_percent numeric(5, 2) not null default 95
  check (completeness_percent between 0 and 100);

-- What somebody decided about a month that is held: to bill it as it was measured, or with an estimate.
alter table billing_months
  add column bill_as text check (bill_as in ('measured', 'estimate')),
  add column decided_by text,
  add column decided_at timestamptz(3);

-- How much of what an invoice bills was not measured.
alter table billed_energy add column estimated_microkwh bigint not null default 0;
