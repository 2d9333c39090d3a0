-- What the legacy workflow API needs: its own reading of a project, addresses for a project's folders,
-- and calls that may be repeated.

-- The key to the addresses of the project's folders: a new one closes the old addresses.
alter table projects add column folder_secret text;
update projects set folder_secret = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
alter table projects alter column folder_secret set not null;

-- The project in the words of the legacy API. Null only until the next start has rendered what was there before.
alter table projects add column legacy_rendering text;
create index projects_not_rendered on projects (installer_id, id) where legacy_rendering is null;

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
