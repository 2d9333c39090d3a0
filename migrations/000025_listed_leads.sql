-- A page of leads by filters looks along the last changes for those that fit, up to 20,000: in the index alone, which holds all
-- that can be filtered by. Words are looked for in the leads themselves, along the narrow indexes, which stay for that: the
-- planner would rather sort what it finds by leads_counted than go along a wide one.
create index concurrently if not exists leads_listed on leads (installer_id, updated_at)
  include (id, created_at, archived, status, product_line, company_id, sales_rep_id, setter_id, source_name);
create index concurrently if not exists leads_listed_by_status on leads (installer_id, status, updated_at)
  include (id, created_at, archived, product_line, company_id, sales_rep_id, setter_id, source_name);
create index concurrently if not exists leads_archived_listed on leads (installer_id, updated_at)
  include (id, created_at, archived, status, product_line, company_id, sales_rep_id, setter_id, source_name)
  where archived;
