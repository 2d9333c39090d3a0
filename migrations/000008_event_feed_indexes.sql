-- The feed of one type, of a dealer, and of both; the whole feed of an installer is the primary key.
create index concurrently if not exists webhook_messages_by_type
  on webhook_messages (installer_id, type, event_at, event_ordinal) where head is not null and not for_dealer;
create index concurrently if not exists webhook_messages_of_dealers
  on webhook_messages (installer_id, company_id, event_at, event_ordinal)
  where head is not null and (for_dealer or to_dealers) and company_id <> installer_id;
create index concurrently if not exists webhook_messages_of_dealers_by_type
  on webhook_messages (installer_id, company_id, type, event_at, event_ordinal)
  where head is not null and (for_dealer or to_dealers) and company_id <> installer_id;
