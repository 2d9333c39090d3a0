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

-- Whether the session was begun with more than a password.
alter table auth_sessions add column "secondFactor" boolean not null default false;
update auth_sessions s set "secondFactor" = true from auth_users u where u.id = s."userId" and u."twoFactorEnabled";

-- A session ends 90 days after it began. That it was not used for 30 days is seen by its last use.
update auth_sessions set "expiresAt" = "createdAt" + interval '90 days' where "expiresAt" > "updatedAt";
create index auth_sessions_by_end on auth_sessions ("expiresAt");
create index auth_sessions_by_use on auth_sessions ("updatedAt");
create index auth_verifications_by_end on auth_verifications ("expiresAt");

-- Whether the company's owners and admins need more than a password.
alter table companies add column second_factor_required boolean not null default false;
