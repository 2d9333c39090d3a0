-- The words first, the installer behind them: an index is read in the order of its columns, and of a large installer every
-- record was gone through before the words were looked at.
-- contract: unused since the indexes made here, by which the version before finds the same.
create index concurrently if not exists leads_by_words
  on leads using gin (search gin_trgm_ops, installer_id);
drop index concurrently if exists leads_by_search;
create index concurrently if not exists invoices_by_words
  on invoices using gin (search gin_trgm_ops, installer_id);
drop index concurrently if exists invoices_by_search;
create index concurrently if not exists credits_by_words
  on credits using gin (search gin_trgm_ops, installer_id);
drop index concurrently if exists credits_by_search;
create index concurrently if not exists installations_by_words
  on installations using gin (search_form(name || ' ' || address) gin_trgm_ops, installer_id);
drop index concurrently if exists installations_by_search;
create index concurrently if not exists billing_plans_by_words
  on billing_plans using gin (search_form(coalesce(customer->>'name', '')) gin_trgm_ops, installer_id);
drop index concurrently if exists billing_plans_by_customer;
