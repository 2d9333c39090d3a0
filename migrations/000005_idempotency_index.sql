-- The oldest of all companies, to be swept.
create index concurrently if not exists idempotency_keys_by_time on idempotency_keys (created_at);
