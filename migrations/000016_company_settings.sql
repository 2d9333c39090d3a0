-- Where the company's customers live unless it is said otherwise, as ISO 3166 writes it.
alter table companies add column country text not null default 'US';

-- A company's sign, as it is drawn on proposals and invoices: small, so it stays with the record.
create table company_logos (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  png          bytea not null,
  sha256       text not null,
  changed_at   timestamptz(3) not null,
  primary key (installer_id, company_id)
);

-- A member's open work that goes to another: some records at a time, and how far it is.
create table reassignments (
  installer_id   text not null references companies (id),
  id             text not null,
  company_id     text not null references companies (id),
  from_member_id text not null,
  to_member_id   text not null,
  state          text not null check (state in ('running', 'done', 'failed')),
  failure        text,
  total          integer not null,
  done           integer not null default 0,
  -- who ordered it, in whose name it is done
  actor_id       text not null,
  actor_name     text not null,
  actor_company_id text not null references companies (id),
  -- whoever works on it says so now and then; past this time nobody does
  claimed_until  timestamptz(3) not null,
  created_at     timestamptz(3) not null,
  ended_at       timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, from_member_id) references members (installer_id, id),
  foreign key (installer_id, to_member_id) references members (installer_id, id)
);
create index reassignments_by_member on reassignments (installer_id, from_member_id, id);
create index reassignments_due on reassignments (installer_id, id) where state = 'running';

-- The audit log: what happened to a record, and what somebody did. All that belongs to a lead is found by the lead.
create index events_by_record on events (installer_id, coalesce(lead_id, subject_id), at, ordinal);
create index events_by_actor on events (installer_id, actor_id, at, ordinal) where actor_id is not null;
-- Leads and projects are most of the log and are found without; a dealer's part of it is not.
create index events_by_kind on events (installer_id, split_part(type, '.', 1), at, ordinal)
  where split_part(type, '.', 1) not in ('lead', 'project');
create index events_of_dealers on events (installer_id, company_id, at, ordinal) where company_id <> installer_id;

create function refuse_change_of_log() returns trigger language plpgsql as $$
begin
  raise exception 'the log of events is only added to: no % of it', lower(tg_op);
end $$;
create trigger events_are_kept before update or delete on events
  for each row execute function refuse_change_of_log();
create trigger events_are_all_kept before truncate on events
  for each statement execute function refuse_change_of_log();

-- The outbox, the newest first.
create index mails_by_time on mails (installer_id, created_at, id);
create index mails_by_company on mails (installer_id, company_id, created_at, id);
create index mails_by_address on mails (installer_id, lower(to_address), created_at, id);
create index mails_not_sent on mails (installer_id, state, created_at, id) where state <> 'sent';
