-- Every POST of the interfaces takes an Idempotency-Key: what it was answered is kept with its status. Rows of the version
-- before have none and were answered 200.
alter table idempotency_keys add column status integer;
-- Of work that cannot be done in one transaction: who does it, and until when nobody else begins it. Both stay null
-- where the answer was written together with what the call did.
alter table idempotency_keys add column claim text;
alter table idempotency_keys add column claimed_until timestamptz(3);
