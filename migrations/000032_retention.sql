-- How long a company keeps what; null keeps it.
create table retention_rules (
  installer_id       text not null references companies (id),
  company_id         text not null references companies (id),
  -- leads that were never sold and have not changed for so long are erased
  unsold_months      integer check (unsold_months between 1 and 240),
  -- the texts of mails are let go after so long
  mail_months        integer check (mail_months between 1 and 240),
  -- 14 at most, as for everybody
  request_days       integer check (request_days between 1 and 14),
  -- where the law wants names and addresses to stay on finalised invoices
  keep_invoice_names boolean not null default false,
  version            integer not null default 1,
  -- past this time nobody works on it
  claimed_until      timestamptz(3) not null,
  -- when it was last gone through to the end, and what it found so far today
  last_run_at        timestamptz(3),
  leads_erased       integer not null default 0,
  mails_cleared      integer not null default 0,
  primary key (installer_id, company_id)
);
