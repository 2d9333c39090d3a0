-- By what lists of the company-key API are filtered (docs/performance.md).

-- A customer's address, however its letters are written.
create index concurrently if not exists leads_by_email
  on leads (installer_id, translate(email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'))
  where email is not null;

-- A stage's projects, the last changed first.
create index concurrently if not exists projects_by_stage_change on projects (installer_id, stage_id, updated_at);

-- What is to be installed on which day.
create index concurrently if not exists projects_by_install_day
  on projects (installer_id, ((milestones->>'installScheduled') collate "C"))
  where milestones->>'installScheduled' is not null;
