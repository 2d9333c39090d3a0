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
insert into storage_default (limit_bytes) values (100000000000);

-- Of the file as it is kept, which may be another than was sent.
alter table imports add column stored_bytes bigint not null default 0;
update imports set stored_bytes = bytes where store_key is not null;

insert into storage_usage (installer_id, company_id, bytes)
select installer_id, company_id, sum(bytes) from (
  select installer_id, company_id, size as bytes from files where revoked_at is null
  union all select installer_id, company_id, stored_bytes from imports where store_key is not null
  union all select installer_id, company_id, octet_length(png) from company_logos
) kept group by installer_id, company_id;
