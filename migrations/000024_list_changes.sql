-- How often a list by number changed: where its pages begin is remembered for as long as that is the same.
alter table plan_counts add column changes bigint not null default 0;
alter table webhooks add column deliveries_changes bigint not null default 0;
