-- How many deliveries an endpoint has in each state: its list says so without counting them. What is kept is right while `counted_at`
-- is the last attempt, or `-infinity` before the first: the version before moves only the last attempt, and endpoints that it made, or
-- that were there before, have none. They are counted, for each list and by the leader's next sweep.
alter table webhooks add column deliveries_due integer not null default 0;
alter table webhooks add column deliveries_delivered integer not null default 0;
alter table webhooks add column deliveries_failed integer not null default 0;
alter table webhooks add column counted_at timestamptz(3);
-- What a delivery was before it was last settled or sent again, for whoever writes that to know what is one less; null where it was new.
alter table webhook_deliveries add column previous_state text;

-- How many quarantined readings wait in all of a company's installations, and how often that changed. Each installation says how
-- much of its own count is in that total already. What was there before, or is written by the version before, is not: a list adds the
-- difference to the total, until the leader has summed it.
alter table quarantine_counts add column summed_readings integer not null default 0;
alter table quarantine_counts add column summed_changes bigint not null default 0;
create table quarantine_totals (
  installer_id text not null,
  company_id   text not null,
  readings     integer not null,
  changes      bigint not null,
  primary key (installer_id, company_id)
);
