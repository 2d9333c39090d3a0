-- What customers are billed: plans by installation, invoices, and what of the energy they bill.

create table billing_plans (
  installer_id      text not null references companies (id),
  installation_id   text not null,
  kind              text not null check (kind in ('ppa', 'lease')),
  -- for a kWh or for a month, in the first year
  rate              numeric(14, 6) not null check (rate >= 0),
  escalator_percent numeric(9, 6) not null,
  start_date        date not null,
  currency          text not null,
  customer          jsonb not null,
  payment_term_days integer not null,
  created_at        timestamptz(3) not null,
  updated_at        timestamptz(3) not null,
  primary key (installer_id, installation_id),
  foreign key (installer_id, installation_id) references installations (installer_id, id)
);

create table invoices (
  installer_id      text not null references companies (id),
  id                text not null,
  company_id        text not null references companies (id),
  installation_id   text,
  number            text,
  status            text not null check (status in ('draft', 'open', 'paid', 'void')),
  currency          text not null,
  customer          jsonb not null,
  period_start      date,
  period_end        date,
  due_date          date,
  -- where no due date is set, so many days after it is finalised
  payment_term_days integer not null,
  line_items        jsonb not null,
  amount_due        numeric(14, 2) not null check (amount_due >= 0),
  amount_paid       numeric(14, 2) not null default 0,
  -- the first day of the month that a monthly run billed by it
  billing_month     date,
  -- changed by hand: the monthly run leaves it as it is
  edited            boolean not null default false,
  -- credit taken over from earlier invoices, and left over for later ones
  carry_in          numeric(14, 2) not null default 0,
  carry_out         numeric(14, 2) not null default 0,
  -- the names on it as they were when it was finalised
  issued            jsonb,
  version           bigint not null default 1,
  created_at        timestamptz(3) not null,
  finalized_at      timestamptz(3),
  paid_at           timestamptz(3),
  voided_at         timestamptz(3),
  rendering         text not null,
  primary key (installer_id, id),
  foreign key (installer_id, installation_id) references installations (installer_id, id),
  check ((status = 'draft') = (number is null)),
  check ((status = 'draft') = (finalized_at is null)),
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'void') = (voided_at is not null)),
  check (amount_paid between 0 and amount_due),
  check (status <> 'paid' or amount_paid = amount_due)
);
create index invoices_by_status on invoices (installer_id, status, id);
create index invoices_by_company on invoices (installer_id, company_id, id);
create index invoices_by_company_status on invoices (installer_id, company_id, status, id);
create index invoices_by_installation on invoices (installer_id, installation_id, id) where installation_id is not null;
create unique index invoices_by_number on invoices (installer_id, company_id, number) where number is not null;
create unique index invoices_by_month on invoices (installer_id, installation_id, billing_month)
  where billing_month is not null and status <> 'void';

-- The last number that a company gave out, advanced by the transaction that uses it: no number is ever lost.
create table invoice_counters (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  last_number  integer not null,
  primary key (installer_id, company_id)
);

create table invoice_payments (
  installer_id text not null,
  invoice_id   text not null,
  ordinal      integer not null,
  amount       numeric(14, 2) not null check (amount >= 0),
  at           timestamptz(3) not null,
  actor_kind   text not null,
  actor_id     text,
  actor_name   text,
  primary key (installer_id, invoice_id, ordinal),
  foreign key (installer_id, invoice_id) references invoices (installer_id, id)
);

-- Which energy an invoice bills: days at one rate as it was first measured, or, as a true-up, how much more or less
-- was measured since an invoice of those days was finalised.
create table billed_energy (
  installer_id    text not null,
  invoice_id      text not null,
  installation_id text not null,
  first_day       date not null,
  last_day        date not null,
  true_up         boolean not null,
  rate            numeric(14, 6) not null,
  microkwh        bigint not null,
  primary key (installer_id, invoice_id, first_day, true_up),
  foreign key (installer_id, invoice_id) references invoices (installer_id, id) on delete cascade
);
create index billed_energy_by_installation on billed_energy (installer_id, installation_id, first_day);

-- Months that the monthly run has looked at: held back with a reason, drafted, or released again because the draft
-- was deleted or the invoice voided.
create table billing_months (
  installer_id    text not null,
  installation_id text not null,
  month           date not null,
  state           text not null check (state in ('held', 'drafted', 'released')),
  reason          text,
  at              timestamptz(3) not null,
  primary key (installer_id, installation_id, month),
  foreign key (installer_id, installation_id) references installations (installer_id, id)
);
