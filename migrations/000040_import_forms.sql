-- What an uploaded table holds, to notice it when it comes again; and how each of its columns writes days and numbers.
alter table imports
  add column content_hash text,
  add column column_forms text[] not null default '{}';
create index imports_by_content on imports (installer_id, company_id, content_hash, id) where content_hash is not null;
