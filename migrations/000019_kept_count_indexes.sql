-- Installations that never had a plan, by name.
create index concurrently if not exists installations_unplanned
  on installations (installer_id, name, id) where not planned and deleted_at is null;
create index concurrently if not exists installations_unplanned_by_company
  on installations (installer_id, company_id, name, id) where not planned and deleted_at is null;
-- Invoices of one status and month by amount.
create index concurrently if not exists invoices_by_status_month_amount
  on invoices (installer_id, status, billed_month, amount_due, id);
