-- Where a change was asked for from.
alter table events add column address text, add column device text;

-- Who came in, who was refused, and what was opened or taken along. Beside the log of events, which it is read with: so
-- nothing of it reaches a webhook or an open page, and nothing of it moves a tenant's clock or waits for it.
create table security_events (
  installer_id text not null,
  at           timestamptz(3) not null,
  -- tells apart what happened in one millisecond; greater than any of an event, so that both logs are read as one
  ordinal      integer not null check (ordinal > 32767),
  type         text not null check (type like 'security.%'),
  -- in whose log it stands
  company_id   text not null,
  lead_id      text,
  project_id   text,
  subject_id   text not null,
  actor_kind   text not null check (actor_kind in ('key', 'member', 'job', 'visitor')),
  actor_id     text,
  actor_name   text,
  name         text,
  changes      jsonb not null default '{}',
  address      text,
  device       text,
  -- what is noted once in a while however often it happens; then it is counted
  once         text,
  times        integer not null default 1,
  last_at      timestamptz(3) not null,
  primary key (installer_id, at, ordinal)
);
create unique index security_events_once on security_events (installer_id, once) where once is not null;
create index security_events_by_record on security_events (installer_id, coalesce(lead_id, subject_id), at, ordinal);
create index security_events_by_actor on security_events (installer_id, actor_id, at, ordinal) where actor_id is not null;
create index security_events_of_dealers on security_events (installer_id, company_id, at, ordinal)
  where company_id <> installer_id;

create function refuse_change_of_trail() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.times = old.times + 1 and new.last_at >= old.last_at
    and to_jsonb(new) - 'times' - 'last_at' = to_jsonb(old) - 'times' - 'last_at'
  then
    return new;
  end if;
  raise exception 'the security trail is only added to: no % of it', lower(tg_op);
end $$;
create trigger security_events_are_kept before update or delete on security_events
  for each row execute function refuse_change_of_trail();
create trigger security_events_are_all_kept before truncate on security_events
  for each statement execute function refuse_change_of_log();
