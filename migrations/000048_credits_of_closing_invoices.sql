-- What a closing invoice finds in the customer's favour is a credit too: no later invoice would carry it over.
alter table credits add column reason text not null default 'voided_invoice'
  check (reason in ('voided_invoice', 'closing_invoice'));
