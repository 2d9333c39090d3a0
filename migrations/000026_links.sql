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

-- When the addresses that the APIs give of a project were last made anew; null: with the project.
alter table projects add column links_renewed_at timestamptz(3);

-- What an entry of the feed tells of, where not everybody may read that: 'sale', or a folder. What was written before
-- is told apart by its words when somebody reads it who may not read all: no row is written anew here.
alter table activities add column about text default 'before';
alter table activities alter column about drop default;
