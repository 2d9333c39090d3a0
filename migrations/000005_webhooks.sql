-- Who is told what happens.
create table webhooks (
  installer_id    text not null references companies (id),
  id              text not null,
  company_id      text not null references companies (id),
  url             text not null,
  events          text[] not null check (cardinality(events) > 0),
  status          text not null check (status in ('enabled', 'disabled')),
  -- the newest secret first; an older one also signs until it expires
  secrets         jsonb not null,
  -- the tenant's time from which on it is told
  since           timestamptz(3) not null,
  created_at      timestamptz(3) not null,
  last_delivery   jsonb,
  last_attempt_at timestamptz(3),
  -- the first failure after the last success
  failing_since   timestamptz(3),
  disabled_reason text,
  deleted_at      timestamptz(3),
  primary key (installer_id, id)
);
create index webhooks_by_company on webhooks (installer_id, company_id, id) where deleted_at is null;

-- How far the tenant's event log has been handed to its webhooks.
create table webhook_cursors (
  installer_id text primary key references companies (id),
  at           timestamptz(3) not null,
  ordinal      smallint not null
);

-- What is sent of an event: to all endpoints of those who see the same of it the same bytes.
create table webhook_messages (
  installer_id  text not null,
  event_at      timestamptz(3) not null,
  event_ordinal smallint not null,
  -- as dealers see it
  for_dealer    boolean not null,
  body          text not null,
  primary key (installer_id, event_at, event_ordinal, for_dealer)
);

-- One message for one endpoint, kept until it is delivered and 30 days more. No foreign keys: there are many of
-- these, and what they belong to is only ever removed after them.
create table webhook_deliveries (
  installer_id    text not null,
  webhook_id      text not null,
  id              text not null,
  event_at        timestamptz(3) not null,
  event_ordinal   smallint not null,
  for_dealer      boolean not null,
  type            text not null,
  state           text not null check (state in ('due', 'delivered', 'failed')),
  -- how many waits of the schedule are used up
  tries           smallint not null default 0,
  -- once it is settled, when that was
  next_attempt_at timestamptz(3) not null,
  -- every attempt from the first: at, duration_ms, status, error, answer
  attempts        jsonb not null default '[]',
  created_at      timestamptz(3) not null,
  primary key (installer_id, webhook_id, id)
);
create index webhook_deliveries_due on webhook_deliveries (installer_id, webhook_id, next_attempt_at, event_at, event_ordinal)
  where state = 'due';
create index webhook_deliveries_by_event on webhook_deliveries (installer_id, webhook_id, event_at, event_ordinal);

-- Adds a job to the queue in the transaction that makes it necessary; one that waits under the same key is it already.
-- add_job answers nothing where a worker takes the waiting job up between its two steps: that one may have looked
-- before this transaction ends, so another is added.
create function queue_job(task text, payload json, key text, at timestamptz default null) returns void
language plpgsql as $$
begin
  if (graphile_worker.add_job(task, payload, run_at => at, job_key => key)).id is null then
    perform graphile_worker.add_job(task, payload, run_at => at);
  end if;
end
$$;

-- Says that the tenant's log has new events; for whoever holds the tenant's lock.
create function wake_webhooks(installer text) returns void
language plpgsql as $$
begin
  if exists (select from webhooks w where w.installer_id = installer and w.status = 'enabled') then
    perform queue_job('hand-out-events', json_build_object('installerId', installer), 'hand-out:' || installer);
  end if;
end
$$;
