-- When a record of the catalogue API changed last, by the tenant's clock: clients ask for what changed after a time. Null of
-- those that were written before this, which changed when they were made or entered their status.
alter table panels add column updated_at timestamptz(3);
alter table alerts add column updated_at timestamptz(3);
alter table invoices add column updated_at timestamptz(3);
alter table installations add column updated_at timestamptz(3);

-- A deleted installation is in no list; what it made stays in the account's history, and so do its invoices. Its project may
-- become another one; by the former one its customer's data is still found.
alter table installations add column deleted_at timestamptz(3);
alter table installations add column former_project_id text;
