-- A homeowner's data can be erased: the lead stays, with nothing in it that says who it was.
alter table leads add column erased_at timestamptz(3);

-- Whose mail it is, where it is about a lead: old ones do not say, and are looked through instead.
alter table mails add column lead_id text;
create index mails_by_lead on mails (installer_id, lead_id) where lead_id is not null;
create index mails_of_no_lead on mails (installer_id, created_at, id) where lead_id is null;

-- Its text was let go, by the company's wish; that it was sent stays.
alter table mails add column cleared_at timestamptz(3);

-- Which leads were erased, for good and without anything personal: what is restored from a backup is erased by it again.
create table erasures (
  installer_id     text not null references companies (id),
  lead_id          text not null,
  company_id       text not null references companies (id),
  reason           text not null check (reason in ('request', 'retention')),
  erased_at        timestamptz(3) not null,
  -- of the id that the company's own system gave it: sent again, it makes no second lead
  external_id_hash bytea,
  -- what to look for, until everything is done; null then
  person           jsonb,
  done_at          timestamptz(3),
  -- past this time nobody works on it
  claimed_until    timestamptz(3) not null,
  -- whether it stands in the list outside the database
  listed           boolean not null default false,
  primary key (installer_id, lead_id),
  check ((person is null) = (done_at is not null))
);
create unique index erasures_by_external_id on erasures (installer_id, company_id, external_id_hash)
  where external_id_hash is not null;
create index erasures_not_done on erasures (installer_id, lead_id) where done_at is null;
create index erasures_not_listed on erasures (installer_id, lead_id) where not listed;

-- The log is only added to, with one exception: whoever erases a lead, and says which, may take out what its events say of
-- the customer. What happened, when, to which record and by whom stays.
create or replace function refuse_change_of_log() returns trigger language plpgsql as $$
declare
  erased text := current_setting('sunstead.erased_lead', true);
  personal constant text[] := array['changes', 'data'];
begin
  if tg_op = 'UPDATE' and erased <> '' then
    if coalesce(old.lead_id, erased) = erased
      and exists (select from erasures e where e.installer_id = old.installer_id and e.lead_id = erased)
      and to_jsonb(new) - personal = to_jsonb(old) - personal
    then
      return new;
    end if;
  end if;
  raise exception 'the log of events is only added to: no % of it', lower(tg_op);
end $$;

-- The same of the security trail: from where somebody opened a document by its address may be where the customer lives.
create or replace function refuse_change_of_trail() returns trigger language plpgsql as $$
declare
  erased text := current_setting('sunstead.erased_lead', true);
  personal constant text[] := array['address', 'device', 'once'];
begin
  if tg_op = 'UPDATE' and new.times = old.times + 1 and new.last_at >= old.last_at
    and to_jsonb(new) - 'times' - 'last_at' = to_jsonb(old) - 'times' - 'last_at'
  then
    return new;
  end if;
  if tg_op = 'UPDATE' and erased <> '' then
    if old.lead_id = erased and old.actor_kind = 'visitor'
      and exists (select from erasures e where e.installer_id = old.installer_id and e.lead_id = erased)
      and to_jsonb(new) - personal = to_jsonb(old) - personal
    then
      return new;
    end if;
  end if;
  raise exception 'the security trail is only added to: no % of it', lower(tg_op);
end $$;
