-- Whoever saves what somebody else has changed meanwhile is told.
alter table stages add column version integer not null default 1;
alter table adders add column version integer not null default 1;
alter table equipment add column version integer not null default 1;

-- Where the projects of a retired stage go and who said so, while some still stand in it.
alter table stages add column emptying jsonb;
create index stages_emptying on stages (installer_id, id) where emptying is not null;
