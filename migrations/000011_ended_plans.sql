-- A plan that has ended is kept for what is trued up after it.
alter table billing_plans add column ended_at timestamptz(3);
