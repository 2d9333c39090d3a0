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
  "twoFactorEnabled" boolean
);

create table auth_sessions (
  id          text primary key,
  "expiresAt" timestamptz(3) not null,
  token       text not null unique,
  "createdAt" timestamptz(3) not null,
  "updatedAt" timestamptz(3) not null,
  "ipAddress" text,
  "userAgent" text,
  "userId"    text not null references auth_users (id) on delete cascade,
  -- the company that the person works for just now
  "memberId"  text
);
create index auth_sessions_by_user on auth_sessions ("userId");

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
  "updatedAt" timestamptz(3) not null
);
create index auth_verifications_by_identifier on auth_verifications (identifier);
create index auth_verifications_by_value on auth_verifications (value);

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

create index members_by_person on members (lower(email));

-- What is found by typing: parts of words, in any place.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
alter table leads add column search text generated always as (lower(
  coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(email, '') || ' ' ||
  coalesce(co_first_name, '') || ' ' || coalesce(co_last_name, '') || ' ' || coalesce(co_email, '') || ' ' ||
  coalesce(phone, '') || ' ' || coalesce(phone_e164, '') || ' ' || regexp_replace(coalesce(phone, ''), '\D', '', 'g') || ' ' ||
  coalesce(co_phone, '') || ' ' || regexp_replace(coalesce(co_phone, ''), '\D', '', 'g') || ' ' ||
  coalesce(line1, '') || ' ' || coalesce(city, '') || ' ' || coalesce(state, '') || ' ' || coalesce(postal_code, '') || ' ' ||
  id || ' ' || coalesce(reference, '') || ' ' || coalesce(external_id, '') || ' ' || coalesce(project_id, '')
)) stored;
create index leads_by_search on leads using gin (installer_id, search gin_trgm_ops);
create index leads_by_phone on leads (installer_id, phone_e164) where phone_e164 is not null;
create index leads_by_street on leads (installer_id, lower(line1), postal_code) where line1 is not null;
create index leads_by_status_change on leads (installer_id, status, updated_at);

-- A column of the board, the last to enter first. With the company, so that a dealer's column reads no other records.
create index projects_on_board on projects (installer_id, stage_id, stage_entered_at desc nulls last, id desc)
  include (company_id);
drop index projects_by_stage;

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

-- Its address names no company.
create index projects_by_proposal on projects (proposal_token) where proposal_token is not null;

-- How many leads there are by any mix of filters, and which, where they are few: equal entries take next to no room.
create index leads_counted on leads (installer_id, archived, status, product_line, company_id, sales_rep_id, setter_id, source_name);
create index leads_by_making on leads (installer_id, created_at, id);

-- What a tiered adder costs from which quantity on, the lowest first.
alter table adders add column tiers jsonb not null default '[]';

-- Leads that nobody has spoken to yet, and notifications that nobody has read.
create index leads_waiting on leads (installer_id, created_at, id) include (company_id, sales_rep_id, setter_id)
  where status = 'new' and not archived;
create index notifications_unread on notifications (installer_id, member_id) where read_at is null;
-- A member's own, the last changed first.
create index leads_by_sales_rep_change on leads (installer_id, sales_rep_id, updated_at) where sales_rep_id is not null;
create index leads_by_setter_change on leads (installer_id, setter_id, updated_at) where setter_id is not null;
drop index leads_by_sales_rep;
drop index leads_by_setter;
