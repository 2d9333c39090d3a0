-- Those with an open alert of one kind by name or size: among all that are in trouble, few are looked at before a page is full.
create index concurrently if not exists installations_troubled_by_name
  on installations (installer_id, name, id) where worst > 0 and deleted_at is null;
create index concurrently if not exists installations_troubled_by_size
  on installations (installer_id, coalesce(capacity_kw, panels_kw), id) where worst > 0 and deleted_at is null;
-- Invoices of one status by amount.
create index concurrently if not exists invoices_by_status_amount on invoices (installer_id, status, amount_due, id);
