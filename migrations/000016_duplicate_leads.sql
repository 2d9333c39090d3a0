-- The leads of one phone number and of one house, the last changed first: of a number that thousands have, the newest are read and no
-- more.
-- contract: unused since the indexes made here, by which the version before finds the same.
create index concurrently if not exists leads_by_phone_change
  on leads (installer_id, phone_e164, updated_at) where phone_e164 is not null;
drop index concurrently if exists leads_by_phone;
create index concurrently if not exists leads_by_street_change
  on leads (installer_id, lower(line1), postal_code, updated_at) where line1 is not null;
drop index concurrently if exists leads_by_street;
