-- The whole schema, table by table, package by package (docs/architecture.md). Companies, keys, people and what runs the
-- server are global; everything else belongs to one installer (the tenant), whose id stands first in every key and index.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- ========== what text is found by

-- What is found by typing is found without its accents and apostrophes: `nunez` is Núñez, `obrien` is O'Brien and O’Brien.
-- Only what PostgreSQL has itself: `unaccent` is not everywhere, and is not immutable. Capitals are
-- named, since a database of the locale C knows only the English ones. The application says the same in
-- src/domain/kernel/search-form.ts; a test compares the two.
create function search_form(text) returns text language sql immutable strict parallel safe
  return lower(replace(replace(replace(replace(
    translate(
      regexp_replace(normalize($1, NFD), '[\u0300-\u036f''`´ʹʻʼʽˈ‘’‛′＇]', '', 'g'),
      'ØøŁłĐđÐðĦħŊŋŦŧıÆŒÞẞ', 'oollddddhhnnttiæœþß'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'));

-- ========== tenants: companies, their keys and their people

create sequence company_numbers start 1001;

create table settings (
  name  text primary key,
  value text not null
);

create table companies (
  id                     text primary key,
  installer_id           text not null references companies (id),
  kind                   text not null check (kind in ('installer', 'dealer')),
  number                 integer not null unique default nextval('company_numbers'),
  name                   text not null,
  timezone               text not null,
  status                 text not null default 'active' check (status in ('active', 'suspended')),
  created_at             timestamptz(3) not null,
  -- Where the company's customers live unless it is said otherwise, as ISO 3166 writes it.
  country                text not null default 'US',
  -- Whether the company's owners and admins need more than a password.
  second_factor_required boolean not null default false,
  check ((kind = 'installer') = (id = installer_id))
);
create index companies_by_installer on companies (installer_id, number);

-- A company's sign, as it is drawn on proposals and invoices: small, so it stays with the record.
create table company_logos (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  png          bytea not null,
  sha256       text not null,
  changed_at   timestamptz(3) not null,
  primary key (installer_id, company_id)
);

create table api_keys (
  id           text primary key,
  company_id   text not null references companies (id),
  name         text not null,
  prefix       text not null,
  hash         bytea not null unique,
  access       text not null check (access in ('full', 'read')),
  interfaces   text[] not null check (interfaces <@ array['company', 'legacy', 'catalog'] and cardinality(interfaces) > 0),
  created_at   timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at   timestamptz(3),
  revoked_at   timestamptz(3),
  installer_id text not null references companies (id),
  -- the key that took the place of one that was rolled
  replaced_by  text references api_keys (id)
);
create index api_keys_by_tenant on api_keys (installer_id, created_at, id);
create index api_keys_listed on api_keys (company_id, created_at, id);

-- How often a key was used in an hour, and how often in vain.
create table api_key_hours (
  installer_id text not null,
  key_id       text not null,
  hour         timestamptz(3) not null,
  calls        integer not null,
  failures     integer not null,
  primary key (installer_id, key_id, hour)
);

-- One row a tenant. Every write advances "now" inside its transaction, so the row is the tenant's
-- clock and its lock. "directory_version" counts the changes of what renderings are made from
-- besides the record itself: companies, members and ladders.
create table tenant_clocks (
  installer_id      text primary key references companies (id),
  now               timestamptz(3) not null,
  directory_version bigint not null default 0,
  -- the newest number of the tenant's messages: on the row that every change advances and locks anyway
  messages          bigint not null default 0
);

-- Who signs in, as better-auth keeps it. A person is known by their email; what they may do is said by the
-- members of that email, one in each company they work for.
create table auth_users (
  id                 text primary key,
  name               text not null,
  email              text not null unique,
  "emailVerified"    boolean not null,
  image              text,
  "createdAt"        timestamptz(3) not null,
  "updatedAt"        timestamptz(3) not null,
  "twoFactorEnabled" boolean,
  -- The company that a person worked for last, where the next session begins.
  "lastMemberId"     text
);

create table auth_sessions (
  id             text primary key,
  "expiresAt"    timestamptz(3) not null,
  token          text not null unique,
  "createdAt"    timestamptz(3) not null,
  "updatedAt"    timestamptz(3) not null,
  "ipAddress"    text,
  "userAgent"    text,
  "userId"       text not null references auth_users (id) on delete cascade,
  -- the company that the person works for just now
  "memberId"     text,
  -- Whether the session was begun with more than a password.
  "secondFactor" boolean not null default false
);
create index auth_sessions_by_user on auth_sessions ("userId");
create index auth_sessions_by_end on auth_sessions ("expiresAt");
create index auth_sessions_by_use on auth_sessions ("updatedAt");

create table auth_accounts (
  id                      text primary key,
  "accountId"             text not null,
  "providerId"            text not null,
  "userId"                text not null references auth_users (id) on delete cascade,
  "accessToken"           text,
  "refreshToken"          text,
  "idToken"               text,
  "accessTokenExpiresAt"  timestamptz(3),
  "refreshTokenExpiresAt" timestamptz(3),
  scope                   text,
  password                text,
  "createdAt"             timestamptz(3) not null,
  "updatedAt"             timestamptz(3) not null
);
create unique index auth_accounts_by_user on auth_accounts ("userId", "providerId", "accountId");

create table auth_verifications (
  id          text primary key,
  identifier  text not null,
  value       text not null,
  "expiresAt" timestamptz(3) not null,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  -- When the link went out by mail: who comes back with it reads that address.
  "mailedAt"  timestamptz(3)
);
create index auth_verifications_by_identifier on auth_verifications (identifier);
create index auth_verifications_by_value on auth_verifications (value);
create index auth_verifications_by_end on auth_verifications ("expiresAt");

create table auth_two_factors (
  id                        text primary key,
  secret                    text not null,
  "backupCodes"             text not null,
  "userId"                  text not null references auth_users (id) on delete cascade,
  verified                  boolean,
  "failedVerificationCount" integer,
  "lockedUntil"             timestamptz(3)
);
create index auth_two_factors_by_user on auth_two_factors ("userId");

create table auth_passkeys (
  id             text primary key,
  name           text,
  "publicKey"    text not null,
  "userId"       text not null references auth_users (id) on delete cascade,
  "credentialID" text not null,
  counter        integer not null,
  "deviceType"   text not null,
  "backedUp"     boolean not null,
  transports     text,
  "createdAt"    timestamptz(3),
  aaguid         text
);
create index auth_passkeys_by_user on auth_passkeys ("userId");
create index auth_passkeys_by_credential on auth_passkeys ("credentialID");

-- Browsers in which somebody has signed in before. Each holds a secret; here is only its hash.
create table auth_devices (
  user_id      text not null references auth_users (id) on delete cascade,
  token_hash   bytea not null,
  created_at   timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  primary key (user_id, token_hash)
);
create index auth_devices_by_token on auth_devices (token_hash);
create index auth_devices_by_use on auth_devices (last_used_at);

-- Codes of authenticator apps that were tried: none of them counts a second time.
create table auth_used_codes (
  user_id text not null references auth_users (id) on delete cascade,
  code    text not null,
  used_at timestamptz(3) not null,
  primary key (user_id, code)
);
create index auth_used_codes_by_time on auth_used_codes (used_at);

create table members (
  installer_id   text not null references companies (id),
  id             text not null,
  company_id     text not null references companies (id),
  email          text not null,
  name           text not null,
  phone          text,
  role           text not null check (role in ('owner', 'admin', 'manager', 'rep', 'setter', 'surveyor', 'subcontractor')),
  created_at     timestamptz(3) not null,
  deactivated_at timestamptz(3),
  -- Whose account a member is: said by accepting the company's own invitation, or by whoever runs the server. Nobody
  -- works for a company because an address is the same.
  user_id        text references auth_users (id) on delete set null,
  joined_at      timestamptz(3),
  -- When a second factor that the company requires of the member was removed by whoever reads their mail alone. Until an
  -- owner or admin of the company says that it is them, they come no further there.
  factor_lost_at timestamptz(3),
  primary key (installer_id, id)
);
create unique index members_by_email on members (installer_id, company_id, email);
create index members_by_address on members (email);
create unique index members_by_account on members (installer_id, company_id, user_id) where user_id is not null;
create index members_of_account on members (user_id) where user_id is not null;

create table invitations (
  installer_id text not null references companies (id),
  id           text not null,
  company_id   text not null references companies (id),
  member_id    text not null,
  -- to whom it was written: whoever accepts it is the account of this address
  email        text not null,
  token_hash   bytea not null,
  by_id        text,
  by_name      text not null,
  created_at   timestamptz(3) not null,
  expires_at   timestamptz(3) not null,
  -- when it went out by mail
  mailed_at    timestamptz(3),
  state        text not null default 'open' check (state in ('open', 'accepted', 'declined', 'withdrawn', 'replaced')),
  ended_at     timestamptz(3),
  -- When the link of an invitation was shown in the outbox, as no mail was sent: sent later, it proves no address.
  shown_at     timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, member_id) references members (installer_id, id),
  check ((state = 'open') = (ended_at is null))
);
create unique index invitations_open on invitations (installer_id, member_id) where state = 'open';
create index invitations_by_member on invitations (installer_id, member_id, created_at);
create index invitations_by_token on invitations (token_hash);
create index invitations_by_email on invitations (email) where state = 'open';
-- How often an address was written to, in the name of an installer or of any of its dealers.
create index invitations_to_address on invitations (installer_id, email, created_at);

create table stages (
  installer_id text not null references companies (id),
  id           text not null,
  product_line text not null check (product_line in ('solar', 'hi')),
  position     integer not null,
  name         text not null,
  milestone    text,
  days_allowed integer,
  checklist    text[] not null default '{}',
  alerts       text[] not null default '{}',
  messages     jsonb not null default '[]',
  retired_at   timestamptz(3),
  -- Whoever saves what somebody else has changed meanwhile is told.
  version      integer not null default 1,
  primary key (installer_id, id)
);
create unique index stages_by_name on stages (installer_id, product_line, lower(name)) where retired_at is null;

-- ========== journal: what happened, who is told, and what was asked for

-- Work that takes longer than a call: an import, a month's billing, reassigned work, a stage that is emptied. The row is
-- written in the transaction that asks for it; the leader hands it to the queue, and it is done piece by piece.
create table long_jobs (
  installer_id     text not null references companies (id),
  id               text not null,
  company_id       text not null references companies (id),
  kind             text not null,
  -- Which record it is about: one of a kind runs for it at a time.
  subject_id       text not null,
  -- What else was asked for, in the kind's own words.
  input            jsonb not null,
  state            text not null check (state in ('running', 'done', 'failed', 'cancelled')),
  -- Records, when it was asked for, and how many of them are done.
  total            integer not null,
  done             integer not null default 0,
  -- Why it ended; of one that runs, why its last piece failed and is tried again.
  failure          text,
  attempts         integer not null default 0,
  -- Not handed over before: it waits to be tried again, or somebody works on it by themselves.
  not_before       timestamptz(3),
  handed_over      boolean not null default false,
  -- who asked for it, in whose name it is done
  actor_kind       text not null check (actor_kind in ('member', 'job')),
  actor_id         text,
  actor_name       text not null,
  actor_company_id text not null references companies (id),
  created_at       timestamptz(3) not null,
  ended_at         timestamptz(3),
  primary key (installer_id, id)
);
-- Few run at a time: the leader reads them all.
create unique index long_jobs_running on long_jobs (installer_id, kind, subject_id) where state = 'running';
create index long_jobs_by_subject on long_jobs (installer_id, kind, subject_id, id);
create index long_jobs_by_kind on long_jobs (installer_id, kind, id);

-- What happened, in commit order; feeds webhooks, live updates and the audit log.
create table events (
  installer_id text not null,
  at           timestamptz(3) not null,
  ordinal      smallint not null,
  type         text not null,
  company_id   text not null,
  lead_id      text,
  project_id   text,
  subject_id   text not null,
  actor_kind   text not null check (actor_kind in ('key', 'member', 'job')),
  actor_id     text,
  actor_name   text,
  changes      jsonb not null default '{}',
  -- What a record other than a lead or a project was when the event happened.
  data         jsonb,
  -- Where a change was asked for from.
  address      text,
  device       text,
  primary key (installer_id, at, ordinal)
);
-- The audit log: what happened to a record, and what somebody did. All that belongs to a lead is found by the lead.
create index events_by_record on events (installer_id, coalesce(lead_id, subject_id), at, ordinal);
create index events_by_actor on events (installer_id, actor_id, at, ordinal) where actor_id is not null;
-- Leads and projects are most of the log and are found without; a dealer's part of it is not.
create index events_by_kind on events (installer_id, split_part(type, '.', 1), at, ordinal)
  where split_part(type, '.', 1) not in ('lead', 'project');
create index events_of_dealers on events (installer_id, company_id, at, ordinal) where company_id <> installer_id;

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

create table mails (
  installer_id    text not null,
  id              text not null,
  company_id      text not null,
  to_address      text not null,
  subject         text not null,
  body            text not null,
  created_at      timestamptz(3) not null,
  state           text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts        integer not null default 0,
  next_attempt_at timestamptz(3) not null,
  sent_at         timestamptz(3),
  last_error      text,
  -- A link that lets its reader in is no part of a mail's text: it is kept sealed until it is sent or of no use.
  link_kind       text check (link_kind in ('invitation', 'password')),
  -- the invitation, or the account whose password it lets choose
  link_ref        text,
  link_sealed     text,
  link_expires_at timestamptz(3),
  -- Who sends a mail holds it by a lease: until next_attempt_at nobody else takes it. One that ran out without an
  -- outcome may have been sent, so how often that happened is counted.
  lease           text,
  unanswered      smallint not null default 0,
  -- What a person waits for: a link to sign in, an invitation. It goes out beside everything else, not behind it.
  urgent          boolean not null default false,
  -- Whose mail it is, where it is about a lead.
  lead_id         text,
  -- Its text was let go, by the company's wish; that it was sent stays.
  cleared_at      timestamptz(3),
  -- Mails that wait until a move can no longer be undone.
  move_id         text,
  primary key (installer_id, id)
);
-- The outbox, the newest first.
create index mails_by_time on mails (installer_id, created_at, id);
create index mails_by_company on mails (installer_id, company_id, created_at, id);
create index mails_by_address on mails (
  installer_id, translate(to_address, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'), created_at, id
);
create index mails_not_sent on mails (installer_id, state, created_at, id) where state <> 'sent';
create index mails_with_link on mails (link_ref) where link_sealed is not null;
-- Two partial ones, so that the next tenant with a mail that is due is one step away whatever waits beside it.
create index mails_due on mails (installer_id, next_attempt_at) where state = 'queued' and not urgent;
create index mails_due_urgent on mails (installer_id, next_attempt_at) where state = 'queued' and urgent;
create index mails_by_lead on mails (installer_id, lead_id) where lead_id is not null;
create index mails_of_no_lead on mails (installer_id, created_at, id) where lead_id is null;
create index mails_of_move on mails (installer_id, move_id) where move_id is not null;

create table notifications (
  installer_id text not null,
  id           text not null,
  member_id    text not null,
  at           timestamptz(3) not null,
  text         text not null,
  project_id   text,
  read_at      timestamptz(3),
  -- What a notification is about, where it is no project.
  lead_id      text,
  primary key (installer_id, id),
  foreign key (installer_id, member_id) references members (installer_id, id)
);
create index notifications_by_member on notifications (installer_id, member_id, at);
create index notifications_unread on notifications (installer_id, member_id) where read_at is null;

-- A call that names a key is done once; repeated, it answers what it answered.
create table idempotency_keys (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  key          text not null,
  request_hash text not null,
  answer       jsonb not null,
  created_at   timestamptz(3) not null,
  primary key (installer_id, company_id, key)
);

-- What a person sends from a form or by a button of the console, by a key that was made when the form was opened: sent
-- twice, it is done once, and both are answered the same.
create table submissions (
  installer_id text not null references companies (id),
  member_id    text not null,
  key          text not null,
  request_hash text not null,
  begun_at     timestamptz(3) not null,
  -- Of the answer; null while it is being done.
  status       integer,
  -- Sealed, as it may show a secret once; null once it is kept no longer.
  answer       text,
  primary key (installer_id, member_id, key),
  foreign key (installer_id, member_id) references members (installer_id, id)
);

-- The log is only added to, with one exception: whoever erases a lead, and says which, may take out what its events say of
-- the customer. What happened, when, to which record and by whom stays.
create function refuse_change_of_log() returns trigger language plpgsql as $$
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

create trigger events_are_kept before update or delete on events
  for each row execute function refuse_change_of_log();

create trigger events_are_all_kept before truncate on events
  for each statement execute function refuse_change_of_log();

-- The same of the security trail: from where somebody opened a document by its address may be where the customer lives.
create function refuse_change_of_trail() returns trigger language plpgsql as $$
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

create trigger security_events_are_kept before update or delete on security_events
  for each row execute function refuse_change_of_trail();

create trigger security_events_are_all_kept before truncate on security_events
  for each statement execute function refuse_change_of_log();

-- ========== catalogue

create table adders (
  installer_id     text not null references companies (id),
  id               text not null,
  position         integer not null,
  name             text not null,
  description      text,
  product_line     text not null check (product_line in ('solar', 'hi')),
  product_kind     text check (product_kind in ('roofing', 'windows', 'doors', 'siding', 'insulation', 'hvac', 'waterHeater', 'electrical', 'battery', 'evCharger', 'other')),
  unit             text not null check (unit in ('perWatt', 'flat', 'each', 'perPanel', 'perFoot', 'perSquareFoot')),
  unit_price       numeric(14, 4) not null,
  tiered           boolean not null,
  rep_sponsored    boolean not null,
  show_on_proposal boolean not null,
  brand            text,
  model            text,
  warranty_years   integer,
  active           boolean not null default true,
  rendering        text not null,
  -- What a tiered adder costs from which quantity on, the lowest first.
  tiers            jsonb not null default '[]',
  version          integer not null default 1,
  primary key (installer_id, id)
);
create index adders_in_order on adders (installer_id, position, id);

create table equipment (
  installer_id            text not null references companies (id),
  id                      text not null,
  position                integer not null,
  kind                    text not null check (kind in ('panel', 'inverter', 'battery')),
  manufacturer            text not null,
  model                   text,
  is_default              boolean not null,
  watts                   numeric(10, 2),
  efficiency_percent      numeric(6, 3),
  rated_output_watts      numeric(10, 2),
  microinverter           boolean,
  capacity_kwh            numeric(10, 3),
  continuous_output_watts numeric(10, 2),
  warranty_years          integer,
  active                  boolean not null default true,
  rendering               text not null,
  version                 integer not null default 1,
  primary key (installer_id, id)
);
create index equipment_in_order on equipment (installer_id, kind, position, id);

-- ========== deals: leads, projects and what belongs to them

create table leads (
  installer_id  text not null references companies (id),
  id            text not null,
  company_id    text not null references companies (id),
  reference     text,
  product_line  text not null check (product_line in ('solar', 'hi')),
  status        text not null check (status in ('new', 'contacted', 'nurture', 'appointmentSet', 'proposalSent', 'sold', 'lost', 'unqualified')),
  archived      boolean not null default false,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  first_name    text,
  last_name     text,
  email         text,
  phone         text,
  phone_e164    text,
  co_first_name text,
  co_last_name  text,
  co_email      text,
  co_phone      text,
  line1         text,
  line2         text,
  city          text,
  state         text,
  postal_code   text,
  country       text,
  utility_name  text,
  monthly_bill  numeric(12, 2),
  source_name   text,
  sub_source    text,
  external_id   text,
  notes         text,
  sales_rep_id  text,
  setter_id     text,
  project_id    text,
  rendering     text not null,
  -- A homeowner's data can be erased: the lead stays, with nothing in it that says who it was.
  erased_at     timestamptz(3),
  search        text generated always as (search_form(
    coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' ||
    coalesce(co_first_name, '') || ' ' || coalesce(co_last_name, '') || ' ' || coalesce(co_email, '') || ' ' ||
    coalesce(phone, '') || ' ' || coalesce(phone_e164, '') || ' ' || regexp_replace(coalesce(phone, ''), '\D', '', 'g') || ' ' ||
    coalesce(co_phone, '') || ' ' || regexp_replace(coalesce(co_phone, ''), '\D', '', 'g') || ' ' ||
    coalesce(line1, '') || ' ' || coalesce(city, '') || ' ' || coalesce(state, '') || ' ' || coalesce(postal_code, '') || ' ' ||
    id || ' ' || coalesce(reference, '') || ' ' || coalesce(external_id, '') || ' ' || coalesce(project_id, '')
  )) stored,
  primary key (installer_id, id),
  foreign key (installer_id, sales_rep_id) references members (installer_id, id),
  foreign key (installer_id, setter_id) references members (installer_id, id),
  check ((status = 'sold') = (project_id is not null))
) with (toast_tuple_target = 8160, fillfactor = 90);
create index leads_by_change on leads (installer_id, updated_at);
create index leads_by_line_change on leads (installer_id, product_line, updated_at);
create index leads_by_company_change on leads (installer_id, company_id, updated_at);
create index leads_by_company_line_change on leads (installer_id, company_id, product_line, updated_at);
create unique index leads_by_reference on leads (installer_id, reference) where reference is not null;
create unique index leads_by_external_id on leads (installer_id, company_id, external_id) where external_id is not null;
create index leads_by_search on leads using gin (installer_id, search gin_trgm_ops);
create index leads_by_phone on leads (installer_id, phone_e164) where phone_e164 is not null;
create index leads_by_street on leads (installer_id, lower(line1), postal_code) where line1 is not null;
create index leads_by_status_change on leads (installer_id, status, updated_at);
-- How many leads there are by any mix of filters, and which, where they are few: equal entries take next to no room.
create index leads_counted on leads (installer_id, archived, status, product_line, company_id, sales_rep_id, setter_id, source_name);
create index leads_by_making on leads (installer_id, created_at, id);
-- Leads that nobody has spoken to yet.
create index leads_waiting on leads (installer_id, created_at, id) include (company_id, sales_rep_id, setter_id)
  where status = 'new' and not archived;
-- A member's own, the last changed first.
create index leads_by_sales_rep_change on leads (installer_id, sales_rep_id, updated_at) where sales_rep_id is not null;
create index leads_by_setter_change on leads (installer_id, setter_id, updated_at) where setter_id is not null;

create table projects (
  installer_id       text not null references companies (id),
  id                 text not null,
  lead_id            text not null,
  company_id         text not null references companies (id),
  reference          text,
  product_line       text not null check (product_line in ('solar', 'hi')),
  stage_id           text not null,
  stage_entered_at   timestamptz(3),
  sold_at            timestamptz(3),
  updated_at         timestamptz(3) not null,
  ntp_granted        boolean not null default false,
  notes              text,
  project_manager_id text,
  site_surveyor_id   text,
  subcontractor_id   text,
  contract_signed_at timestamptz(3),
  contract_price     numeric(14, 2),
  financing          jsonb not null,
  system             jsonb,
  products           jsonb,
  milestones         jsonb not null default '{}',
  proposal_token     text,
  row_rendering      text not null,
  rendering          text not null,
  -- what a dealer's key reads, where that differs (it does not see internal files)
  dealer_rendering   text,
  -- The key to the addresses of the project's folders: a new one closes the old addresses.
  folder_secret      text not null,
  -- The project in the words of the legacy API.
  legacy_rendering   text not null,
  -- The installation that a finished project became.
  installation_id    text,
  -- When the addresses that the APIs give of a project were last made anew; null: with the project.
  links_renewed_at   timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, lead_id) references leads (installer_id, id),
  foreign key (installer_id, stage_id) references stages (installer_id, id),
  foreign key (installer_id, project_manager_id) references members (installer_id, id),
  foreign key (installer_id, site_surveyor_id) references members (installer_id, id),
  foreign key (installer_id, subcontractor_id) references members (installer_id, id),
  check ((product_line = 'solar') = (system is not null)),
  check ((product_line = 'hi') = (products is not null))
) with (toast_tuple_target = 8160, fillfactor = 90);
create unique index projects_by_lead on projects (installer_id, lead_id);
create index projects_by_change on projects (installer_id, updated_at);
create index projects_by_line_change on projects (installer_id, product_line, updated_at);
create index projects_by_company_change on projects (installer_id, company_id, updated_at);
create index projects_by_company_line_change on projects (installer_id, company_id, product_line, updated_at);
create unique index projects_by_reference on projects (installer_id, reference) where reference is not null;
create index projects_by_project_manager on projects (installer_id, project_manager_id) where project_manager_id is not null;
create index projects_by_site_surveyor on projects (installer_id, site_surveyor_id) where site_surveyor_id is not null;
create index projects_by_subcontractor on projects (installer_id, subcontractor_id) where subcontractor_id is not null;
-- A column of the board, the last to enter first. With the company, so that a dealer's column reads no other records.
create index projects_on_board on projects (installer_id, stage_id, stage_entered_at desc nulls last, id desc)
  include (company_id);
-- Its address names no company.
create index projects_by_proposal on projects (proposal_token) where proposal_token is not null;

-- A lead's feed; a project's activity is in its lead's.
create table activities (
  installer_id    text not null,
  id              text not null,
  lead_id         text not null,
  project_id      text,
  company_id      text not null,
  at              timestamptz(3) not null,
  ordinal         smallint not null,
  type            text not null,
  body            text not null,
  internal        boolean not null,
  customer_facing boolean not null,
  reply_to        text,
  member_id       text,
  author          text,
  -- What an entry of the feed tells of, where not everybody may read that: 'sale', or a folder.
  about           text,
  primary key (installer_id, id),
  foreign key (installer_id, lead_id) references leads (installer_id, id)
);
create index activities_by_lead on activities (installer_id, lead_id, at, ordinal);

create table checklist_items (
  installer_id text not null,
  project_id   text not null,
  stage_id     text not null,
  ordinal      smallint not null,
  label        text not null,
  done_at      timestamptz(3),
  done_by      text,
  primary key (installer_id, project_id, stage_id, label),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);

-- The last move of a project in the console, as long as it can be taken back: what it did besides, so that this is undone too.
create table stage_moves (
  installer_id    text not null,
  project_id      text not null,
  id              text not null,
  -- its place in the tenant's order: what it wrote to the feed and to people stands there
  at              timestamptz(3) not null,
  from_stage_id   text,
  to_stage_id     text not null,
  entered_at      timestamptz(3) not null,
  -- what was stamped, made and put on the project by it, and was not there before
  milestone       text,
  installation_id text,
  checklist       text[] not null,
  undo_until      timestamptz(3) not null,
  lead_status     text,
  primary key (installer_id, project_id),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);

create table calendar_entries (
  installer_id text not null,
  project_id   text not null,
  kind         text not null check (kind in ('install', 'survey')),
  day          date not null,
  primary key (installer_id, project_id, kind),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);
create index calendar_by_day on calendar_entries (installer_id, day);

-- The secret part of the address from which a member's calendar is subscribed.
create table calendar_feeds (
  installer_id text not null,
  member_id    text not null,
  token_hash   bytea not null,
  created_at   timestamptz(3) not null,
  primary key (installer_id, member_id),
  foreign key (installer_id, member_id) references members (installer_id, id)
);
create index calendar_feeds_by_token on calendar_feeds (token_hash);

create table files (
  installer_id text not null,
  id           text not null,
  project_id   text not null,
  company_id   text not null,
  folder       text not null check (folder in ('contract', 'utilityBill', 'identification', 'material', 'siteSurvey', 'planset', 'permit', 'interconnection', 'other', 'homeInsurance', 'installationPhoto', 'internal')),
  name         text not null,
  source_url   text not null,
  source_hash  bytea not null,
  store_key    text not null,
  token        text not null,
  type         text not null,
  extension    text not null,
  inline       boolean not null,
  size         bigint not null,
  sha256       bytea not null,
  added_at     timestamptz(3) not null,
  ordinal      smallint not null,
  revoked_at   timestamptz(3),
  -- Who put a file there: they may take it away again.
  added_by     text,
  primary key (installer_id, id),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);
create unique index files_by_source on files (installer_id, project_id, folder, source_hash) where revoked_at is null;
create unique index files_by_token on files (installer_id, token);
create index files_by_store_key on files (installer_id, store_key);

-- Addresses that people made to share a file, a folder or the proposal of a project. Only a hash of the token is kept.
create table shared_links (
  installer_id   text not null,
  id             text not null,
  project_id     text not null,
  kind           text not null check (kind in ('file', 'folder', 'proposal')),
  -- of what is shared
  folder         text,
  file_id        text,
  token_hash     bytea not null,
  created_by     text not null,
  created_at     timestamptz(3) not null,
  expires_at     timestamptz(3) not null,
  ended_at       timestamptz(3),
  -- null where the system ended it: with the access of who made it
  ended_by       text,
  opened         integer not null default 0,
  last_opened_at timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, project_id) references projects (installer_id, id),
  foreign key (installer_id, created_by) references members (installer_id, id),
  check (kind <> 'file' or (file_id is not null and folder is not null)),
  check (kind <> 'folder' or folder is not null)
);
create unique index shared_links_by_token on shared_links (installer_id, token_hash);
create index shared_links_by_project on shared_links (installer_id, project_id, id);
create index shared_links_by_maker on shared_links (installer_id, created_by) where ended_at is null;

-- What each company keeps, in bytes: files, imports under way and its logo. Changed with them, never counted anew.
create table storage_usage (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  bytes        bigint not null default 0,
  -- null: the default
  limit_bytes  bigint check (limit_bytes >= 0),
  primary key (installer_id, company_id)
);

-- How much a company may keep unless its own limit says otherwise: one row.
create table storage_default (
  single      boolean primary key default true check (single),
  limit_bytes bigint not null check (limit_bytes >= 0)
);

-- Lists that people come back to.
create table saved_views (
  installer_id text not null,
  id           text not null,
  member_id    text not null,
  page         text not null check (page in ('leads', 'board')),
  name         text not null,
  query        text not null,
  created_at   timestamptz(3) not null,
  primary key (installer_id, id),
  foreign key (installer_id, member_id) references members (installer_id, id)
);
create unique index saved_views_by_member on saved_views (installer_id, member_id, page, name);

insert into storage_default (limit_bytes) values (100000000000);

-- ========== sites: installations, their panels, what they make and what is wrong with them

-- Installations and their panels, as the catalogue API has them.
create table installations (
  installer_id text not null references companies (id),
  id           text not null,
  company_id   text not null references companies (id),
  -- where it came from a project
  project_id   text,
  name         text not null,
  address      text not null,
  region       text not null,
  timezone     text not null,
  -- as it was stated; null: what its panels have together
  capacity_kw  numeric(14, 4),
  panel_count  integer not null default 0,
  panels_kw    numeric(16, 4) not null default 0,
  version      bigint not null default 1,
  created_at   timestamptz(3) not null,
  primary key (installer_id, id),
  foreign key (installer_id, project_id) references projects (installer_id, id)
);
create index installations_by_company on installations (installer_id, company_id, id);
create index installations_by_region on installations (installer_id, region, id);
create index installations_by_company_region on installations (installer_id, company_id, region, id);
create unique index installations_by_project on installations (installer_id, project_id) where project_id is not null;
create index installations_by_name on installations (installer_id, name, id);
create index installations_by_company_name on installations (installer_id, company_id, name, id);
create index installations_by_size on installations (installer_id, coalesce(capacity_kw, panels_kw), id);
create index installations_by_company_size on installations (installer_id, company_id, coalesce(capacity_kw, panels_kw), id);

create table installation_counts (
  installer_id  text not null references companies (id),
  company_id    text not null references companies (id),
  region        text not null,
  installations integer not null,
  changes       bigint not null default 0,
  primary key (installer_id, company_id, region)
);

create table panels (
  installer_id    text not null references companies (id),
  id              text not null,
  company_id      text not null references companies (id),
  installation_id text not null,
  name            text not null,
  capacity_kw     numeric(14, 4) not null,
  status          text not null check (status in ('active', 'inactive', 'maintenance')),
  -- kept as it was written, to be read as it is: jsonb would write 1e300 out in 300 digits
  metadata        json not null default '{}',
  version         bigint not null default 1,
  created_at      timestamptz(3) not null,
  -- a deleted panel is in no list; what it made stays in its installation's history
  deleted_at      timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, installation_id) references installations (installer_id, id)
);
create index panels_in_order on panels (installer_id, id) where deleted_at is null;
create index panels_by_status on panels (installer_id, status, id) where deleted_at is null;
create index panels_by_company on panels (installer_id, company_id, id) where deleted_at is null;
create index panels_by_company_status on panels (installer_id, company_id, status, id) where deleted_at is null;
create index panels_by_installation on panels (installer_id, installation_id, id);

-- How many panels a company has in each status: a list says its total without counting it.
create table panel_counts (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  status       text not null check (status in ('active', 'inactive', 'maintenance')),
  panels       integer not null,
  -- grows with every record that comes, goes or moves: while it is the same, so are the pages
  changes      bigint not null default 0,
  primary key (installer_id, company_id, status)
);

-- What panels made. A reading is of one panel and one time; a later value of the same takes its place. Energy is
-- counted in millionths of a kWh, so that sums are exact. Partitions are months of UTC; the server makes them, ahead
-- of time and where a late reading needs one (src/domain/sites/energy/partitions.ts).
create table readings (
  installer_id text not null,
  panel_id     text not null,
  at           timestamptz(3) not null,
  microkwh     bigint not null,
  primary key (installer_id, panel_id, at)
) partition by range (at);

-- What a panel made in a day of its installation's zone, as a whole and hour by hour: hours[1] is the first hour of
-- the day; null, or beyond the end, where there is no reading. A day has 23 or 25 of them when the clock is changed.
-- Readings are never taken back, so a row that is there has some. Every row of a page is written anew each hour of its
-- first day: half the page left free lets that happen within it, without touching the index.
create table panel_days (
  installer_id text not null,
  panel_id     text not null,
  day          date not null,
  microkwh     bigint not null,
  readings     integer not null,
  hours        bigint[] not null,
  -- The time of the day's last reading: what the next one can be is held against the time since.
  last_at      timestamptz(3),
  primary key (installer_id, panel_id, day)
) with (fillfactor = 50);

-- The same of all panels of an installation together, deleted ones included, and how many of them had readings.
create table installation_days (
  installer_id    text not null,
  installation_id text not null,
  day             date not null,
  microkwh        bigint not null,
  readings        integer not null,
  panels          integer not null,
  hours           bigint[] not null,
  primary key (installer_id, installation_id, day)
) with (fillfactor = 50);

-- Readings that no panel of that capacity can make in their time: kept and shown, and in no total. One that waits is
-- released or dropped by a person, or replaced by a value sent later, and is then gone from here; a dropped one stays,
-- so that sending it again does not bring it back.
create table quarantined_readings (
  installer_id    text not null references companies (id),
  id              text not null,
  company_id      text not null references companies (id),
  installation_id text not null,
  panel_id        text not null,
  at              timestamptz(3) not null,
  microkwh        bigint not null,
  -- what the panel could have made at most, and in how much time
  most_microkwh   bigint not null,
  interval_ms     bigint not null,
  state           text not null check (state in ('waiting', 'dropped')),
  received_at     timestamptz(3) not null,
  primary key (installer_id, id),
  unique (installer_id, panel_id, at),
  foreign key (installer_id, installation_id) references installations (installer_id, id),
  foreign key (installer_id, panel_id) references panels (installer_id, id)
);
-- Which panels are to be looked at closely when readings of a time come.
create index quarantined_readings_by_time on quarantined_readings (installer_id, at);
create index quarantined_readings_waiting on quarantined_readings (installer_id, id) where state = 'waiting';
create index quarantined_readings_waiting_by_company on quarantined_readings (installer_id, company_id, id)
  where state = 'waiting';
create index quarantined_readings_waiting_by_installation on quarantined_readings (installer_id, installation_id, id)
  where state = 'waiting';

create table quarantine_counts (
  installer_id    text not null references companies (id),
  company_id      text not null references companies (id),
  installation_id text not null,
  readings        integer not null,
  changes         bigint not null default 0,
  primary key (installer_id, company_id, installation_id)
);
create index quarantine_counts_by_installation on quarantine_counts (installer_id, installation_id);

-- How complete a month of an installation is: the hours of daylight in which its panels should have reported and in
-- which they did, day by day. Counted when it is first asked for, and forgotten when readings of it or of the month
-- before come.
create table coverage_months (
  installer_id    text not null references companies (id),
  installation_id text not null,
  month           date not null,
  -- of the installation, whose panels it is about
  version         bigint not null,
  expected        real[] not null,
  covered         real[] not null,
  expected_hours  real not null,
  covered_hours   real not null,
  primary key (installer_id, installation_id, month),
  foreign key (installer_id, installation_id) references installations (installer_id, id) on delete cascade
);

-- Times of most of a day or more in which an installation sent nothing: from its last reading until newer ones were
-- seen. Loggers that send once a night are told by them from those that fell silent.
create table reporting_silences (
  installer_id    text not null references companies (id),
  installation_id text not null,
  began_at        timestamptz(3) not null,
  ended_at        timestamptz(3),
  primary key (installer_id, installation_id, began_at),
  foreign key (installer_id, installation_id) references installations (installer_id, id)
);

-- What is wrong with panels and installations, found by comparing what they make.
create table alerts (
  installer_id       text not null references companies (id),
  id                 text not null,
  company_id         text not null references companies (id),
  installation_id    text not null,
  -- null: the whole installation
  panel_id           text,
  type               text not null check (type in ('outage', 'underperformance', 'data_gap', 'anomaly')),
  severity           text not null check (severity in ('low', 'medium', 'high', 'critical')),
  status             text not null check (status in ('active', 'acknowledged', 'resolved')),
  title              text not null,
  description        text not null,
  recommended_action text not null,
  -- what the panel usually made of what its siblings made, before this: it is well again when it does so again
  usual_ratio        real,
  version            bigint not null default 1,
  triggered_at       timestamptz(3) not null,
  acknowledged_at    timestamptz(3),
  resolved_at        timestamptz(3),
  -- One cause is one alert: panels that fell out together are its members. Where there are several, else empty; the first
  -- stays the first.
  member_ids         text[] not null default '{}',
  -- of each member what usual_ratio is of one panel
  usual_ratios       real[] not null default '{}',
  -- when the fault began, as far as that was told: what begins at the same time has the same cause
  began_at           timestamptz(3),
  primary key (installer_id, id),
  foreign key (installer_id, installation_id) references installations (installer_id, id),
  foreign key (installer_id, panel_id) references panels (installer_id, id),
  check ((status = 'resolved') = (resolved_at is not null)),
  constraint alerts_members_check check (member_ids = '{}' or (panel_id is null and cardinality(member_ids) between 2 and 250))
);
create index alerts_by_installation on alerts (installer_id, installation_id, resolved_at);
create index alerts_in_order on alerts (installer_id, triggered_at, id);
create index alerts_by_status on alerts (installer_id, status, triggered_at, id);
create index alerts_by_company on alerts (installer_id, company_id, triggered_at, id);
-- Each set of filters has an index that holds its list in order.
create index alerts_by_severity on alerts (installer_id, severity, triggered_at, id);
create index alerts_by_status_severity on alerts (installer_id, status, severity, triggered_at, id);
create index alerts_by_company_status on alerts (installer_id, company_id, status, triggered_at, id);
create index alerts_by_company_severity on alerts (installer_id, company_id, severity, triggered_at, id);
create index alerts_by_company_status_severity on alerts (installer_id, company_id, status, severity, triggered_at, id);
-- A fault is told once, however often it is found.
create unique index alerts_told_once on alerts (installer_id, installation_id, type, coalesce(panel_id, member_ids[1]))
  nulls not distinct where status <> 'resolved';
-- A severity besides is looked for among those of a type, in the index itself.
create index alerts_by_type on alerts (installer_id, type, triggered_at, id) include (severity);
create index alerts_by_type_status on alerts (installer_id, type, status, triggered_at, id) include (severity);
create index alerts_by_company_type on alerts (installer_id, company_id, type, triggered_at, id) include (severity);
create index alerts_by_company_type_status on alerts (installer_id, company_id, type, status, triggered_at, id)
  include (severity);

create table alert_counts (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  status       text not null check (status in ('active', 'acknowledged', 'resolved')),
  severity     text not null check (severity in ('low', 'medium', 'high', 'critical')),
  type         text not null check (type in ('outage', 'underperformance', 'data_gap', 'anomaly')),
  alerts       integer not null,
  changes      bigint not null default 0,
  primary key (installer_id, company_id, status, severity, type)
);

-- ========== billing: plans, months, invoices, payments and credits

-- What customers are billed: plans by installation, invoices, and what of the energy they bill.
create table billing_plans (
  installer_id         text not null references companies (id),
  installation_id      text not null,
  kind                 text not null check (kind in ('ppa', 'lease')),
  -- for a kWh or for a month, in the first year
  rate                 numeric(14, 6) not null check (rate >= 0),
  escalator_percent    numeric(9, 6) not null,
  start_date           date not null,
  currency             text not null,
  customer             jsonb not null,
  payment_term_days    integer not null,
  created_at           timestamptz(3) not null,
  updated_at           timestamptz(3) not null,
  -- A plan that has ended is kept for what is trued up after it.
  ended_at             timestamptz(3),
  -- A month of which less than this came in is held.
  completeness_percent numeric(5, 2) not null default 95
    check (completeness_percent between 0 and 100),
  primary key (installer_id, installation_id),
  foreign key (installer_id, installation_id) references installations (installer_id, id)
);

-- Months that the monthly run has looked at: held back with a reason, drafted, or released again because the draft
-- was deleted or the invoice voided.
create table billing_months (
  installer_id    text not null,
  installation_id text not null,
  month           date not null,
  state           text not null check (state in ('held', 'drafted', 'released')),
  reason          text,
  at              timestamptz(3) not null,
  -- What somebody decided about a month that is held: to bill it as it was measured, or with an estimate.
  bill_as         text check (bill_as in ('measured', 'estimate')),
  decided_by      text,
  decided_at      timestamptz(3),
  primary key (installer_id, installation_id, month),
  foreign key (installer_id, installation_id) references installations (installer_id, id)
);
create index billing_months_open on billing_months (installer_id, month, installation_id) where state <> 'drafted';

-- What came of each plan in a month that somebody had billed.
create table billing_run_outcomes (
  installer_id    text not null,
  run_id          text not null,
  installation_id text not null,
  outcome         text not null,
  invoice_id      text,
  amount_due      numeric(14, 2),
  currency        text not null,
  detail          text,
  primary key (installer_id, run_id, installation_id),
  foreign key (installer_id, run_id) references long_jobs (installer_id, id)
);
create index billing_run_outcomes_by_outcome on billing_run_outcomes (installer_id, run_id, outcome, installation_id);

create table invoices (
  installer_id      text not null references companies (id),
  id                text not null,
  company_id        text not null references companies (id),
  installation_id   text,
  number            text,
  status            text not null check (status in ('draft', 'open', 'paid', 'void')),
  currency          text not null,
  customer          jsonb not null,
  period_start      date,
  period_end        date,
  due_date          date,
  -- where no due date is set, so many days after it is finalised
  payment_term_days integer not null,
  line_items        jsonb not null,
  amount_due        numeric(14, 2) not null check (amount_due >= 0),
  amount_paid       numeric(14, 2) not null default 0,
  -- the first day of the month that a monthly run billed by it
  billing_month     date,
  -- changed by hand: the monthly run leaves it as it is
  edited            boolean not null default false,
  -- credit taken over from earlier invoices, and left over for later ones
  carry_in          numeric(14, 2) not null default 0,
  carry_out         numeric(14, 2) not null default 0,
  -- the names on it as they were when it was finalised
  issued            jsonb,
  version           bigint not null default 1,
  created_at        timestamptz(3) not null,
  finalized_at      timestamptz(3),
  paid_at           timestamptz(3),
  voided_at         timestamptz(3),
  rendering         text not null,
  -- the first day of the month that it bills
  billed_month      date generated always as (
    coalesce(billing_month, period_start - (extract(day from period_start)::integer - 1))
  ) stored,
  -- of what the lines come to, so much is covered by credits; what is due is the rest
  credit_applied    numeric(14, 2) not null default 0 check (credit_applied >= 0),
  search            text generated always as (search_form(
    coalesce(number, '') || ' ' || coalesce(customer->>'name', '') || ' ' || coalesce(customer->>'email', '')
  )) stored,
  primary key (installer_id, id),
  foreign key (installer_id, installation_id) references installations (installer_id, id),
  check ((status = 'draft') = (number is null)),
  check ((status = 'draft') = (finalized_at is null)),
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'void') = (voided_at is not null)),
  check (amount_paid between 0 and amount_due),
  check (status <> 'paid' or amount_paid = amount_due)
);
create index invoices_by_status on invoices (installer_id, status, id);
create index invoices_by_company on invoices (installer_id, company_id, id);
create index invoices_by_company_status on invoices (installer_id, company_id, status, id);
create index invoices_by_installation on invoices (installer_id, installation_id, id) where installation_id is not null;
create unique index invoices_by_number on invoices (installer_id, company_id, number) where number is not null;
create unique index invoices_by_month on invoices (installer_id, installation_id, billing_month)
  where billing_month is not null and status <> 'void';
create index invoices_by_billed_month on invoices (installer_id, billed_month, id) where billed_month is not null;
create index invoices_by_search on invoices using gin (installer_id, search gin_trgm_ops);
create index invoices_by_sums on invoices (installer_id, company_id, status, currency)
  include (amount_due, amount_paid, due_date);
-- The lists of the console sort by their headers: each order has its index, of the tenant and of a company.
-- A draft without a due date comes after all that have one.
create index invoices_by_due on invoices (installer_id, coalesce(due_date, 'infinity'::date), id);
create index invoices_by_company_due on invoices (installer_id, company_id, coalesce(due_date, 'infinity'::date), id);
create index invoices_by_amount on invoices (installer_id, amount_due, id);
create index invoices_by_company_amount on invoices (installer_id, company_id, amount_due, id);

create table invoice_counts (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  status       text not null check (status in ('draft', 'open', 'paid', 'void')),
  invoices     integer not null,
  changes      bigint not null default 0,
  primary key (installer_id, company_id, status)
);

-- The last number that a company gave out, advanced by the transaction that uses it: no number is ever lost.
create table invoice_counters (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  last_number  integer not null,
  primary key (installer_id, company_id)
);

-- How and when the money came.
create table invoice_payments (
  installer_id text not null,
  invoice_id   text not null,
  ordinal      integer not null,
  amount       numeric(14, 2) not null check (amount >= 0),
  at           timestamptz(3) not null,
  actor_kind   text not null,
  actor_id     text,
  actor_name   text,
  id           text not null,
  method       text check (method in ('ach', 'bank_transfer', 'card', 'cash', 'check', 'other')),
  reference    text,
  received_on  date not null,
  -- the company and the key by which the call may be repeated
  request_key  text,
  primary key (installer_id, invoice_id, ordinal),
  foreign key (installer_id, invoice_id) references invoices (installer_id, id)
);
create unique index invoice_payments_by_id on invoice_payments (installer_id, id);
create unique index invoice_payments_by_request on invoice_payments (installer_id, request_key)
  where request_key is not null;

-- Which energy an invoice bills: days at one rate as it was first measured, or, as a true-up, how much more or less
-- was measured since an invoice of those days was finalised.
create table billed_energy (
  installer_id       text not null,
  invoice_id         text not null,
  installation_id    text not null,
  first_day          date not null,
  last_day           date not null,
  true_up            boolean not null,
  rate               numeric(14, 6) not null,
  microkwh           bigint not null,
  -- How much of what an invoice bills was not measured.
  estimated_microkwh bigint not null default 0,
  primary key (installer_id, invoice_id, first_day, true_up),
  foreign key (installer_id, invoice_id) references invoices (installer_id, id) on delete cascade
);
create index billed_energy_by_installation on billed_energy (installer_id, installation_id, first_day);

-- What was paid on an invoice that is voided becomes a credit of its customer: their next invoices use it, or it is paid
-- back.
create table credits (
  installer_id    text not null references companies (id),
  id              text not null,
  company_id      text not null references companies (id),
  -- the invoice that was voided
  invoice_id      text not null,
  installation_id text,
  currency        text not null,
  customer        jsonb not null,
  -- by which the customer's next invoices are known
  name_key        text not null generated always as (
    lower(regexp_replace(btrim(normalize(customer->>'name', NFKC)), '\s+', ' ', 'g'))
  ) stored,
  email_key       text generated always as (
    translate(btrim(customer->>'email'), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
  ) stored,
  amount          numeric(14, 2) not null check (amount > 0),
  -- of that, so much is in invoices, and so much was paid back: never more than there is
  used            numeric(14, 2) not null default 0 check (used >= 0),
  refunded        numeric(14, 2) not null default 0 check (refunded >= 0),
  -- nobody's any more whose next invoice could be known
  erased          boolean not null default false,
  version         bigint not null default 1,
  created_at      timestamptz(3) not null,
  actor_name      text,
  search          text generated always as (search_form(
    coalesce(customer->>'name', '') || ' ' || coalesce(customer->>'email', '')
  )) stored,
  -- What a closing invoice finds in the customer's favour is a credit too: no later invoice would carry it over.
  reason          text not null default 'voided_invoice'
    check (reason in ('voided_invoice', 'closing_invoice')),
  primary key (installer_id, id),
  foreign key (installer_id, invoice_id) references invoices (installer_id, id),
  check (used + refunded <= amount)
);
create unique index credits_by_invoice on credits (installer_id, invoice_id);
create index credits_by_company on credits (installer_id, company_id, id);
create index credits_by_name on credits (installer_id, company_id, name_key);
create index credits_by_installation on credits (installer_id, installation_id) where installation_id is not null;
create index credits_left on credits (installer_id, id) where amount > used + refunded;
create index credits_by_search on credits using gin (installer_id, search gin_trgm_ops);

create table credit_counts (
  installer_id text not null references companies (id),
  company_id   text not null references companies (id),
  credits      integer not null,
  changes      bigint not null default 0,
  primary key (installer_id, company_id)
);

-- Which invoices use a credit. A draft that goes leaves no trace; an invoice that was voided says when it gave it back.
create table credit_uses (
  installer_id text not null,
  credit_id    text not null,
  invoice_id   text not null,
  amount       numeric(14, 2) not null check (amount > 0),
  released_at  timestamptz(3),
  primary key (installer_id, credit_id, invoice_id),
  foreign key (installer_id, credit_id) references credits (installer_id, id),
  foreign key (installer_id, invoice_id) references invoices (installer_id, id)
);
create index credit_uses_by_invoice on credit_uses (installer_id, invoice_id);

create table credit_refunds (
  installer_id text not null,
  id           text not null,
  credit_id    text not null,
  amount       numeric(14, 2) not null check (amount > 0),
  method       text check (method in ('ach', 'bank_transfer', 'card', 'cash', 'check', 'other')),
  reference    text,
  refunded_on  date not null,
  at           timestamptz(3) not null,
  actor_kind   text not null,
  actor_id     text,
  actor_name   text,
  request_key  text,
  primary key (installer_id, id),
  foreign key (installer_id, credit_id) references credits (installer_id, id)
);
create index credit_refunds_by_credit on credit_refunds (installer_id, credit_id, id);
create unique index credit_refunds_by_request on credit_refunds (installer_id, request_key)
  where request_key is not null;

-- ========== delivery: endpoints and what they are told

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
  created_at      timestamptz(3) not null,
  last_delivery   jsonb,
  last_attempt_at timestamptz(3),
  -- the first failure after the last success
  failing_since   timestamptz(3),
  disabled_reason text,
  deleted_at      timestamptz(3),
  -- all messages up to here were sent once; those that failed are deliveries that are due
  place           bigint not null,
  -- the tenant's times of which it is not told: before it was there, and while it was disabled
  not_told        tstzmultirange not null,
  -- What people call an endpoint of theirs.
  description     text not null default '',
  -- What happens while an endpoint is disabled waits for it. What waited until it was last enabled is sent one
  -- by one.
  enabled_at      timestamptz(3),
  primary key (installer_id, id)
);
create index webhooks_by_company on webhooks (installer_id, company_id, id) where deleted_at is null;

-- How far the tenant's endpoints were woken.
create table webhook_cursors (
  installer_id  text primary key references companies (id),
  -- Until then somebody looks at the tenant's events again and again, with a job that stays in the queue meanwhile.
  watched_until timestamptz(3) not null default '-infinity',
  -- up to where endpoints were woken
  woken         bigint not null
);

-- What is sent of an event: to all endpoints of those who see the same of it the same bytes. It is a log, and each endpoint
-- has a place of its own in it: nothing is written for an endpoint until it was sent something.
create table webhook_messages (
  installer_id  text not null,
  event_at      timestamptz(3) not null,
  event_ordinal smallint not null,
  -- as dealers see it
  for_dealer    boolean not null,
  body          text not null,
  -- counts within the tenant without a gap, in the order of events; null for what was only ever sent to one, as a test
  number        bigint,
  type          text not null,
  -- whose record it tells of
  company_id    text not null,
  -- a dealer's endpoint is sent these bytes too, where the record is its company's
  to_dealers    boolean not null,
  -- what it tells of: endpoints are told of one record in order
  subject_id    text,
  -- whose customer it may name
  lead_id       text,
  primary key (installer_id, event_at, event_ordinal, for_dealer)
);
create unique index webhook_messages_log on webhook_messages (installer_id, number) where number is not null;
create index webhook_messages_by_record on webhook_messages (installer_id, coalesce(lead_id, subject_id), event_at, event_ordinal);

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
-- What waits or has failed, among the many that were delivered: for the console's list and its mark of health.
create index webhook_deliveries_not_delivered on webhook_deliveries (installer_id, webhook_id, state, event_at, event_ordinal)
  where state <> 'delivered';

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

-- Says that the tenant's log has new events; for whoever holds the tenant's lock. Who stops watching takes that lock too.
create function wake_webhooks(installer text) returns void
language plpgsql as $$
begin
  if exists (select from webhooks w where w.installer_id = installer and w.status = 'enabled')
    and not exists (select from webhook_cursors c where c.installer_id = installer and c.watched_until > clock_timestamp())
  then
    perform queue_job('dispatch-events', json_build_object('installerId', installer), 'dispatch:' || installer);
  end if;
end
$$;

-- ========== data: imports

-- A file of leads or projects that a company brings with it: what it holds, what it would do, and how far it is.
create table imports (
  installer_id   text not null references companies (id),
  id             text not null,
  company_id     text not null references companies (id),
  name           text not null,
  bytes          bigint not null,
  -- null once the file is let go
  store_key      text,
  encoding       text not null,
  delimiter      text not null,
  header         text[] not null,
  header_hash    text not null,
  -- the first rows, as they stand in the file
  samples        jsonb not null,
  -- for each column the field it fills, empty for none
  mapping        text[] not null,
  state          text not null check (state in ('mapping', 'checking', 'checked', 'running', 'stopped', 'done', 'undoing', 'undone', 'failed')),
  failure        text,
  -- the rows of the file that hold something, known after the first reading
  rows_total     integer,
  -- the last row that was dealt with, as the file counts them, and how many of them held something
  row_reached    integer not null default 1,
  rows_done      integer not null default 0,
  made           integer not null default 0,
  updated        integer not null default 0,
  unchanged      integer not null default 0,
  refused        integer not null default 0,
  problems       integer not null default 0,
  -- what the first rows would become
  preview        jsonb not null default '[]',
  undone         integer not null default 0,
  undone_changed integer not null default 0,
  actor_kind     text not null check (actor_kind in ('member', 'job')),
  actor_id       text,
  actor_name     text not null,
  created_at     timestamptz(3) not null,
  ended_at       timestamptz(3),
  -- Of the file as it is kept, which may be another than was sent.
  stored_bytes   bigint not null default 0,
  -- What an uploaded table holds, to notice it when it comes again; and how each of its columns writes days and numbers.
  content_hash   text,
  column_forms   text[] not null default '{}',
  primary key (installer_id, id)
);
create index imports_by_company on imports (installer_id, company_id, id);
create index imports_by_header on imports (installer_id, company_id, header_hash, id);
create index imports_by_store_key on imports (installer_id, store_key) where store_key is not null;
create index imports_by_content on imports (installer_id, company_id, content_hash, id) where content_hash is not null;

-- What an import made, so that it can be undone. Neither imports nor leads are ever deleted, and checking that for each of
-- 100,000 leads takes a tenth of the time: there are no foreign keys.
create table import_leads (
  installer_id text not null,
  import_id    text not null,
  lead_id      text not null,
  -- the lead's own, when it was made: another one says that it was changed since
  updated_at   timestamptz(3) not null,
  primary key (installer_id, import_id, lead_id)
);

-- What is wrong with a row, and what to change.
create table import_problems (
  installer_id text not null,
  import_id    text not null,
  row          integer not null,
  ordinal      smallint not null,
  column_name  text,
  message      text not null,
  -- false: the row is taken all the same
  refused      boolean not null,
  primary key (installer_id, import_id, row, ordinal),
  foreign key (installer_id, import_id) references imports (installer_id, id)
);

-- ========== operations: the request log and how long things are kept

-- Calls of the interfaces for programs, for 14 days, a line each (src/domain/operations/requests/lines.ts). What a key did
-- within a second or so is one row: a row and index entries for each call would cost the API twenty times as much.
-- Partitions are days of UTC; the server makes them ahead of time and drops the old ones.
create table request_batches (
  installer_id text not null,
  key_id       text not null,
  -- of its last call; "ordinal" tells batches of one millisecond apart
  last_at      timestamptz(3) not null,
  ordinal      integer not null,
  first_at     timestamptz(3) not null,
  company_id   text not null,
  failures     integer not null,
  lines        text not null,
  primary key (installer_id, key_id, last_at, ordinal)
) partition by range (last_at);
-- Compressing would take longer than anything else about it.
alter table request_batches alter column lines set storage external;
create index request_batches_failed on request_batches (installer_id, key_id, last_at, ordinal) where failures > 0;

-- How long a company keeps what; null keeps it.
create table retention_rules (
  installer_id       text not null references companies (id),
  company_id         text not null references companies (id),
  -- leads that were never sold and have not changed for so long are erased
  unsold_months      integer check (unsold_months between 1 and 240),
  -- the texts of mails are let go after so long
  mail_months        integer check (mail_months between 1 and 240),
  -- 14 at most, as for everybody
  request_days       integer check (request_days between 1 and 14),
  -- where the law wants names and addresses to stay on finalised invoices
  keep_invoice_names boolean not null default false,
  version            integer not null default 1,
  -- past this time nobody works on it
  claimed_until      timestamptz(3) not null,
  -- when it was last gone through to the end, and what it found so far today
  last_run_at        timestamptz(3),
  leads_erased       integer not null default 0,
  mails_cleared      integer not null default 0,
  primary key (installer_id, company_id)
);
