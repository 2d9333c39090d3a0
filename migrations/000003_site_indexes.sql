-- What keeps calls from reading more as a company has more (docs/performance.md, Growth).

-- The oldest submissions of all companies, and those of which the answer is still kept.
create index concurrently if not exists submissions_by_time on submissions (begun_at);
create index concurrently if not exists submissions_answered on submissions (begun_at) where answer is not null;

-- Invoices of one status, or of one month, in the orders of the console's list.
create index concurrently if not exists invoices_by_status_due
  on invoices (installer_id, status, coalesce(due_date, 'infinity'::date), id);
create index concurrently if not exists invoices_by_month_due
  on invoices (installer_id, billed_month, coalesce(due_date, 'infinity'::date), id) where billed_month is not null;
create index concurrently if not exists invoices_by_month_amount
  on invoices (installer_id, billed_month, amount_due, id) where billed_month is not null;

-- The credits of a company of which something is left.
create index concurrently if not exists credits_left_by_company
  on credits (installer_id, company_id, id) where amount > used + refunded;

-- Installations and customers by any word, and the few plans that have ended.
create index concurrently if not exists installations_by_search
  on installations using gin (installer_id, search_form(name || ' ' || address) gin_trgm_ops);
create index concurrently if not exists billing_plans_by_customer
  on billing_plans using gin (installer_id, search_form(coalesce(customer->>'name', '')) gin_trgm_ops);
create index concurrently if not exists billing_plans_ended
  on billing_plans (installer_id, installation_id) where ended_at is not null;

-- Installations of one region in the orders of the console's list.
create index concurrently if not exists installations_by_region_name on installations (installer_id, region, name, id);
create index concurrently if not exists installations_by_region_size
  on installations (installer_id, region, coalesce(capacity_kw, panels_kw), id);
