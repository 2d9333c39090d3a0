-- What changed after a time, in the order in which it changed, of a tenant and of a company.
create index concurrently if not exists panels_changed
  on panels (installer_id, coalesce(updated_at, created_at), id) where deleted_at is null;
create index concurrently if not exists panels_changed_by_company
  on panels (installer_id, company_id, coalesce(updated_at, created_at), id) where deleted_at is null;
create index concurrently if not exists installations_changed
  on installations (installer_id, coalesce(updated_at, created_at), id) where deleted_at is null;
create index concurrently if not exists installations_changed_by_company
  on installations (installer_id, company_id, coalesce(updated_at, created_at), id) where deleted_at is null;
create index concurrently if not exists alerts_changed
  on alerts (installer_id, coalesce(updated_at, resolved_at, acknowledged_at, triggered_at), id);
create index concurrently if not exists alerts_changed_by_company
  on alerts (installer_id, company_id, coalesce(updated_at, resolved_at, acknowledged_at, triggered_at), id);
create index concurrently if not exists invoices_changed
  on invoices (installer_id, coalesce(updated_at, voided_at, paid_at, finalized_at, created_at), id);
create index concurrently if not exists invoices_changed_by_company
  on invoices (installer_id, company_id, coalesce(updated_at, voided_at, paid_at, finalized_at, created_at), id);

-- Installations by the number of the page are counted down to in the index alone, so it holds none that was deleted.
create index concurrently if not exists installations_in_order
  on installations (installer_id, id) where deleted_at is null;
create index concurrently if not exists installations_there_by_company
  on installations (installer_id, company_id, id) where deleted_at is null;
create index concurrently if not exists installations_there_by_region
  on installations (installer_id, region, id) where deleted_at is null;
create index concurrently if not exists installations_there_by_company_region
  on installations (installer_id, company_id, region, id) where deleted_at is null;

-- The plans that bill.
create index concurrently if not exists billing_plans_running
  on billing_plans (installer_id, installation_id) where ended_at is null;
