-- What the console's pages of billing ask for: invoices found by month, by typing and with their sums, months that are
-- not billed, and monthly runs that people started.
alter table invoices
  -- the first day of the month that it bills
  add column billed_month date generated always as (
    coalesce(billing_month, period_start - (extract(day from period_start)::integer - 1))
  ) stored,
  add column search text generated always as (
    lower(coalesce(number, '') || ' ' || coalesce(customer->>'name', '') || ' ' || coalesce(customer->>'email', ''))
  ) stored;
create index invoices_by_billed_month on invoices (installer_id, billed_month, id) where billed_month is not null;
create index invoices_by_search on invoices using gin (installer_id, search gin_trgm_ops);
create index invoices_by_sums on invoices (installer_id, company_id, status, currency)
  include (amount_due, amount_paid, due_date);

create index installations_by_name on installations (installer_id, name, id);
create index billing_months_open on billing_months (installer_id, month, installation_id) where state <> 'drafted';

-- A month that somebody had billed. Of the whole tenant where it is the installer's, else of one dealer.
create table billing_runs (
  installer_id  text not null references companies (id),
  id            text not null,
  company_id    text not null references companies (id),
  month         date not null,
  state         text not null check (state in ('running', 'done')),
  -- plans, when it began
  plans         integer not null,
  actor_id      text not null,
  actor_name    text not null,
  -- until then somebody works on it
  claimed_until timestamptz(3) not null,
  created_at    timestamptz(3) not null,
  ended_at      timestamptz(3),
  primary key (installer_id, id)
);
create index billing_runs_by_company on billing_runs (installer_id, company_id, id);
create unique index billing_runs_under_way on billing_runs (installer_id, company_id) where state = 'running';

-- What came of each plan.
create table billing_run_outcomes (
  installer_id    text not null,
  run_id          text not null,
  installation_id text not null,
  outcome         text not null,
  invoice_id      text,
  amount_due      numeric(14, 2),
  currency        text not null,
  detail          text,
  primary key (installer_id, run_id, installation_id),
  foreign key (installer_id, run_id) references billing_runs (installer_id, id)
);
create index billing_run_outcomes_by_outcome on billing_run_outcomes (installer_id, run_id, outcome, installation_id);
