-- What was handed out is a log, and each endpoint has a place of its own in it: nothing is written for an endpoint
-- until it was sent something.
alter table webhook_messages
  -- counts within the tenant without a gap, in the order of events; null for what was only ever sent to one, as a test
  add column number     bigint,
  add column type       text not null default '',
  -- whose record it tells of
  add column company_id text not null default '',
  -- a dealer's endpoint is sent these bytes too, where the record is its company's
  add column to_dealers boolean not null default false;
alter table webhook_messages
  alter column type drop default,
  alter column company_id drop default,
  alter column to_dealers drop default;
create unique index webhook_messages_log on webhook_messages (installer_id, number) where number is not null;

-- the newest number of the tenant's messages
alter table webhook_cursors add column number bigint not null default 0;

alter table webhooks
  -- all messages up to here were sent once; those that failed are deliveries that are due
  add column place    bigint not null default 0,
  -- the tenant's times of which it is not told: before it was there, and while it was disabled
  add column not_told tstzmultirange;
-- What was handed out before has become deliveries already, so every place is the log's beginning.
update webhooks set not_told = tstzmultirange(
  tstzrange(null, case when status = 'enabled' then since end, case when status = 'enabled' then '(]' else '()' end));
alter table webhooks
  alter column place drop default,
  alter column not_told set not null,
  drop column since;

-- Until then somebody looks at the tenant's events again and again, with a job that stays in the queue meanwhile.
alter table webhook_cursors add column watched_until timestamptz(3) not null default '-infinity';

-- Says that the tenant's log has new events; for whoever holds the tenant's lock. Who stops watching takes that lock too.
create or replace function wake_webhooks(installer text) returns void
language plpgsql as $$
begin
  if exists (select from webhooks w where w.installer_id = installer and w.status = 'enabled')
    and not exists (select from webhook_cursors c where c.installer_id = installer and c.watched_until > clock_timestamp())
  then
    perform queue_job('hand-out-events', json_build_object('installerId', installer), 'hand-out:' || installer);
  end if;
end
$$;
