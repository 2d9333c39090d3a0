-- Of each severity those that are silent, the longest first, and all by name.
create index concurrently if not exists installations_silent
  on installations (installer_id, worst, last_day, name, id) where deleted_at is null;
create index concurrently if not exists installations_in_trouble
  on installations (installer_id, worst, name, id) where deleted_at is null;
create index concurrently if not exists installations_silent_by_company
  on installations (installer_id, company_id, worst, last_day, name, id) where deleted_at is null;
create index concurrently if not exists installations_in_trouble_by_company
  on installations (installer_id, company_id, worst, name, id) where deleted_at is null;
create index concurrently if not exists installations_silent_by_region
  on installations (installer_id, region, worst, last_day, name, id) where deleted_at is null;
create index concurrently if not exists installations_in_trouble_by_region
  on installations (installer_id, region, worst, name, id) where deleted_at is null;
