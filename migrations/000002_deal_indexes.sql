-- What was answered to an entry of a feed, wherever in the feed that is.
create index concurrently if not exists activities_by_reply on activities (installer_id, reply_to)
  where reply_to is not null;

-- What is rare in the log and belongs to a dealer.
create index concurrently if not exists events_of_dealers_by_kind
  on events (installer_id, company_id, split_part(type, '.', 1), at, ordinal)
  where company_id <> installer_id and split_part(type, '.', 1) not in ('lead', 'project');

-- Keys that are in use, or were of late.
create index concurrently if not exists api_keys_by_end on api_keys (installer_id, revoked_at);

-- A column of a dealer's board, as projects_on_board is of all.
create index concurrently if not exists projects_of_dealers_on_board
  on projects (installer_id, company_id, stage_id, stage_entered_at desc nulls last, id desc)
  where company_id <> installer_id;

-- A dealer's leads that nobody has spoken to yet.
create index concurrently if not exists leads_of_dealers_waiting on leads (installer_id, company_id, created_at, id)
  where status = 'new' and not archived and company_id <> installer_id;

-- The archive, the last changed first.
create index concurrently if not exists leads_archived_by_change on leads (installer_id, updated_at) where archived;
