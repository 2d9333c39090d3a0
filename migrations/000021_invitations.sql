-- Whose account a member is: said by accepting the company's own invitation, or by whoever runs the server. Nobody
-- works for a company because an address is the same.
alter table members
  add column user_id   text references auth_users (id) on delete set null,
  add column joined_at timestamptz(3);
create unique index members_by_account on members (installer_id, company_id, user_id) where user_id is not null;
create index members_of_account on members (user_id) where user_id is not null;

-- The company that a person worked for last, where the next session begins.
alter table auth_users add column "lastMemberId" text;

-- When the link went out by mail: who comes back with it reads that address.
alter table auth_verifications add column "mailedAt" timestamptz(3);

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
  primary key (installer_id, id),
  foreign key (installer_id, member_id) references members (installer_id, id),
  check ((state = 'open') = (ended_at is null))
);
create unique index invitations_open on invitations (installer_id, member_id) where state = 'open';
create index invitations_by_member on invitations (installer_id, member_id, created_at);
create index invitations_by_token on invitations (token_hash);
create index invitations_by_email on invitations (email) where state = 'open';

-- A link that lets its reader in is no part of a mail's text: it is kept sealed until it is sent or of no use.
alter table mails
  add column link_kind       text check (link_kind in ('invitation', 'password')),
  -- the invitation, or the account whose password it lets choose
  add column link_ref        text,
  add column link_sealed     text,
  add column link_expires_at timestamptz(3);
create index mails_with_link on mails (link_ref) where link_sealed is not null;

-- Who has a way to sign in today is the member of that address. An account that nobody ever signed in to was made
-- by an invitation of before.
delete from auth_users u
where not exists (select from auth_accounts a where a."userId" = u.id and a.password is not null)
  and not exists (select from auth_passkeys p where p."userId" = u.id);
update members m set user_id = joined.user_id, joined_at = m.created_at
from (
  select distinct on (member.installer_id, member.company_id, u.id) member.installer_id, member.id, u.id as user_id
  from members member join auth_users u
    on u.email = translate(member.email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')
  order by member.installer_id, member.company_id, u.id, member.deactivated_at is not null, member.created_at, member.id
) joined
where m.installer_id = joined.installer_id and m.id = joined.id;
update auth_users u set "lastMemberId" = (
  select s."memberId" from auth_sessions s
  where s."userId" = u.id and s."memberId" is not null order by s."updatedAt" desc limit 1
);

-- Every account was said to be proven. Of none it can be told: links stood readable in outboxes.
update auth_users set "emailVerified" = false where "emailVerified";

-- Links of before were for an account and not for a company: they end, and their secrets are erased.
delete from auth_verifications v using auth_users u where v.value = u.id;
update mails set
  body = regexp_replace(body, 'https?://\S*/(invitation|reset-password)\?token=[\w-]+', '[…]', 'g'),
  state = case when state = 'queued' then 'failed' else state end,
  last_error = case when state = 'queued' then 'Not sent: its link is of no use any more. Write another one.' else last_error end
where body like '%?token=%' and body ~ 'https?://\S*/(invitation|reset-password)\?token=[\w-]+';
