-- What changed after a time, with what it can be narrowed by: up to 10,000 changes are looked through and counted, in the index
-- alone. The columns that the time is made of stand in it too: without them the planner takes no expression from an index.
-- contract: unused since the indexes made here, by which the version before finds the same.
create index concurrently if not exists panels_by_change
  on panels (installer_id, coalesce(updated_at, created_at), id)
  include (status, updated_at, created_at) where deleted_at is null;
drop index concurrently if exists panels_changed;
create index concurrently if not exists panels_by_company_change
  on panels (installer_id, company_id, coalesce(updated_at, created_at), id)
  include (status, updated_at, created_at) where deleted_at is null;
drop index concurrently if exists panels_changed_by_company;
create index concurrently if not exists installations_by_change
  on installations (installer_id, coalesce(updated_at, created_at), id)
  include (region, updated_at, created_at) where deleted_at is null;
drop index concurrently if exists installations_changed;
create index concurrently if not exists installations_by_company_change
  on installations (installer_id, company_id, coalesce(updated_at, created_at), id)
  include (region, updated_at, created_at) where deleted_at is null;
drop index concurrently if exists installations_changed_by_company;
create index concurrently if not exists alerts_by_change
  on alerts (installer_id, coalesce(updated_at, resolved_at, acknowledged_at, triggered_at), id)
  include (status, severity, type, updated_at, resolved_at, acknowledged_at, triggered_at);
drop index concurrently if exists alerts_changed;
create index concurrently if not exists alerts_by_company_change
  on alerts (installer_id, company_id, coalesce(updated_at, resolved_at, acknowledged_at, triggered_at), id)
  include (status, severity, type, updated_at, resolved_at, acknowledged_at, triggered_at);
drop index concurrently if exists alerts_changed_by_company;
create index concurrently if not exists invoices_by_change
  on invoices (installer_id, coalesce(updated_at, voided_at, paid_at, finalized_at, created_at), id)
  include (status, updated_at, voided_at, paid_at, finalized_at, created_at);
drop index concurrently if exists invoices_changed;
create index concurrently if not exists invoices_by_company_change
  on invoices (installer_id, company_id, coalesce(updated_at, voided_at, paid_at, finalized_at, created_at), id)
  include (status, updated_at, voided_at, paid_at, finalized_at, created_at);
drop index concurrently if exists invoices_changed_by_company;
