-- Payments say how and when the money came. What was paid on an invoice that is voided becomes a credit of its customer:
-- their next invoices use it, or it is paid back.
alter table invoices
  -- of what the lines come to, so much is covered by credits; what is due is the rest
  add column credit_applied numeric(14, 2) not null default 0 check (credit_applied >= 0);

alter table invoice_payments
  add column id text,
  add column method text check (method in ('ach', 'bank_transfer', 'card', 'cash', 'check', 'other')),
  add column reference text,
  add column received_on date,
  -- the company and the key by which the call may be repeated
  add column request_key text;

-- What an invoice says was paid without a payment that says so gets one.
insert into invoice_payments (installer_id, invoice_id, ordinal, amount, at, actor_kind, actor_name)
  select i.installer_id, i.id, coalesce(max(p.ordinal), 0) + 1, i.amount_paid - coalesce(sum(p.amount), 0),
    coalesce(i.paid_at, i.voided_at, i.finalized_at), 'job', 'Sunstead'
  from invoices i left join invoice_payments p on p.installer_id = i.installer_id and p.invoice_id = i.id
  group by i.installer_id, i.id having i.amount_paid > coalesce(sum(p.amount), 0);

update invoice_payments p
  set id = 'pay_' || substr(p.invoice_id, 5) || lpad(p.ordinal::text, 4, '0'),
    received_on = (p.at at time zone c.timezone)::date
  from invoices i join companies c on c.id = i.company_id
  where i.installer_id = p.installer_id and i.id = p.invoice_id;

alter table invoice_payments
  alter column id set not null,
  alter column received_on set not null;
create unique index invoice_payments_by_id on invoice_payments (installer_id, id);
create unique index invoice_payments_by_request on invoice_payments (installer_id, request_key)
  where request_key is not null;

create table credits (
  installer_id    text not null references companies (id),
  id              text not null,
  company_id      text not null references companies (id),
  -- the invoice that was voided
  invoice_id      text not null,
  installation_id text,
  currency        text not null,
  customer        jsonb not null,
  -- by which the customer's next invoices are known
  name_key        text not null generated always as (
    lower(regexp_replace(btrim(normalize(customer->>'name', NFKC)), '\s+', ' ', 'g'))
  ) stored,
  email_key       text generated always as (
    translate(btrim(customer->>'email'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
  ) stored,
  search          text generated always as (
    lower(coalesce(customer->>'name', '') || ' ' || coalesce(customer->>'email', ''))
  ) stored,
  amount          numeric(14, 2) not null check (amount > 0),
  -- of that, so much is in invoices, and so much was paid back: never more than there is
  used            numeric(14, 2) not null default 0 check (used >= 0),
  refunded        numeric(14, 2) not null default 0 check (refunded >= 0),
  -- nobody's any more whose next invoice could be known
  erased          boolean not null default false,
  version         bigint not null default 1,
  created_at      timestamptz(3) not null,
  actor_name      text,
  primary key (installer_id, id),
  foreign key (installer_id, invoice_id) references invoices (installer_id, id),
  check (used + refunded <= amount)
);
create unique index credits_by_invoice on credits (installer_id, invoice_id);
create index credits_by_company on credits (installer_id, company_id, id);
create index credits_by_name on credits (installer_id, company_id, name_key);
create index credits_by_installation on credits (installer_id, installation_id) where installation_id is not null;
create index credits_left on credits (installer_id, id) where amount > used + refunded;
create index credits_by_search on credits using gin (installer_id, search gin_trgm_ops);

create table credit_counts (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  credits      integer not null,
  changes      bigint not null default 0,
  primary key (installer_id, company_id)
);

-- Which invoices use a credit. A draft that goes leaves no trace; an invoice that was voided says when it gave it back.
create table credit_uses (
  installer_id text not null,
  credit_id    text not null,
  invoice_id   text not null,
  amount       numeric(14, 2) not null check (amount > 0),
  released_at  timestamptz(3),
  primary key (installer_id, credit_id, invoice_id),
  foreign key (installer_id, credit_id) references credits (installer_id, id),
  foreign key (installer_id, invoice_id) references invoices (installer_id, id)
);
create index credit_uses_by_invoice on credit_uses (installer_id, invoice_id);

create table credit_refunds (
  installer_id text not null,
  id           text not null,
  credit_id    text not null,
  amount       numeric(14, 2) not null check (amount > 0),
  method       text check (method in ('ach', 'bank_transfer', 'card', 'cash', 'check', 'other')),
  reference    text,
  refunded_on  date not null,
  at           timestamptz(3) not null,
  actor_kind   text not null,
  actor_id     text,
  actor_name   text,
  request_key  text,
  primary key (installer_id, id),
  foreign key (installer_id, credit_id) references credits (installer_id, id)
);
create index credit_refunds_by_credit on credit_refunds (installer_id, credit_id, id);
create unique index credit_refunds_by_request on credit_refunds (installer_id, request_key)
  where request_key is not null;

-- What was paid on invoices that were voided until now is not lost either.
insert into credits (installer_id, id, company_id, invoice_id, installation_id, currency, customer, amount, erased, created_at)
  select installer_id, 'cred_' || substr(id, 5), company_id, id, installation_id, currency, customer, amount_paid,
    customer->>'name' = 'Erased customer', voided_at
  from invoices where status = 'void' and amount_paid > 0;
insert into credit_counts (installer_id, company_id, credits)
  select installer_id, company_id, count(*) from credits group by 1, 2;

-- As the API reads invoices: what the lines come to and which credit covers of it; on a void one nothing remains to be paid.
update invoices set rendering = regexp_replace(
    case when status = 'void' then regexp_replace(rendering, '"amount_remaining":[0-9.]+', '"amount_remaining":0') else rendering end,
    '"amount_due":([0-9.]+)', '"subtotal":\1,"credit_applied":0,"amount_due":\1'
  );
