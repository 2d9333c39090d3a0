-- The last write of the tenant after which the counts below were right. They are used only while this equals "now", the
-- tenant's clock: the version before moves "now" alone and does not count, so after it they wait to be counted again.
alter table tenant_clocks add column counted_at timestamptz(3);

-- How many leads and projects a company has of each line: the lists of the legacy API say their totals without counting them.
-- Two tables, because one statement may make a lead and its project, and cannot write one row twice.
create table lead_counts (
  installer_id text not null,
  company_id   text not null,
  product_line text not null check (product_line in ('solar', 'hi')),
  leads        integer not null,
  primary key (installer_id, company_id, product_line)
);
create table project_counts (
  installer_id text not null,
  company_id   text not null,
  product_line text not null check (product_line in ('solar', 'hi')),
  projects     integer not null,
  primary key (installer_id, company_id, product_line)
);

-- How many invoices a company has and what they come to. Of open ones by when they are due, which tells how many of them are
-- overdue on any day; of all others, and of open ones that are never due, in one row.
create table invoice_sums (
  installer_id text not null,
  company_id   text not null,
  status       text not null check (status in ('draft', 'open', 'paid', 'void')),
  currency     text not null,
  due_date     date not null,
  invoices     integer not null,
  due          numeric(20, 2) not null,
  paid         numeric(20, 2) not null,
  primary key (installer_id, company_id, status, currency, due_date)
);
create index invoice_sums_of_none on invoice_sums (installer_id) where invoices = 0;

-- How many plans of a kind bill a company's installations.
create table plan_counts (
  installer_id text not null,
  company_id   text not null,
  kind         text not null check (kind in ('ppa', 'lease')),
  plans        integer not null,
  primary key (installer_id, company_id, kind)
);

-- Whether an installation has a plan, or had one. Set later for those that were there before, or that the version before writes.
alter table installations add column planned boolean not null default false;
