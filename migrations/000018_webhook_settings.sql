-- What people call an endpoint of theirs.
alter table webhooks add column description text not null default '';

-- What waits or has failed, among the many that were delivered: for the console's list and its mark of health.
create index webhook_deliveries_not_delivered on webhook_deliveries (installer_id, webhook_id, state, event_at, event_ordinal)
  where state <> 'delivered';
