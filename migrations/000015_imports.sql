-- A file of leads or projects that a company brings with it: what it holds, what it would do, and how far it is.
create table imports (
  installer_id  text not null references companies (id),
  id            text not null,
  company_id    text not null references companies (id),
  name          text not null,
  bytes         bigint not null,
  -- null once the file is let go
  store_key     text,
  encoding      text not null,
  delimiter     text not null,
  header        text[] not null,
  header_hash   text not null,
  -- the first rows, as they stand in the file
  samples       jsonb not null,
  -- for each column the field it fills, empty for none
  mapping       text[] not null,
  state         text not null check (state in ('mapping', 'checking', 'checked', 'running', 'stopped', 'done', 'undoing', 'undone', 'failed')),
  failure       text,
  -- the rows of the file that hold something, known after the first reading
  rows_total    integer,
  -- the last row that was dealt with, as the file counts them, and how many of them held something
  row_reached   integer not null default 1,
  rows_done     integer not null default 0,
  made          integer not null default 0,
  updated       integer not null default 0,
  unchanged     integer not null default 0,
  refused       integer not null default 0,
  problems      integer not null default 0,
  -- what the first rows would become
  preview       jsonb not null default '[]',
  undone        integer not null default 0,
  undone_changed integer not null default 0,
  actor_kind    text not null check (actor_kind in ('member', 'job')),
  actor_id      text,
  actor_name    text not null,
  -- whoever works on it says so now and then; past this time nobody does
  claimed_until timestamptz(3) not null,
  created_at    timestamptz(3) not null,
  ended_at      timestamptz(3),
  primary key (installer_id, id)
);
create index imports_by_company on imports (installer_id, company_id, id);
create index imports_by_header on imports (installer_id, company_id, header_hash, id);
create index imports_by_store_key on imports (installer_id, store_key) where store_key is not null;
create index imports_due on imports (installer_id, id) where state in ('checking', 'running', 'undoing');

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
