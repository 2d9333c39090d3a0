import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../../src/platform/migrate.ts'
import { citusHazards, tableKinds } from '../support/citus-migration-lint.ts'
import { laterIndexes, laterMigration } from '../support/later-migration.ts'
import { migrationHazards } from '../support/migration-lint.ts'

const [first, ...later] = await readMigrations()

test('migrations are safe beside the version before', async () => {
  assert.equal(first!.name, '000001_schema.sql')
  for (const { name, text } of later) assert.deepEqual(await migrationHazards(text), [], name)
})

test('migrations are safe where tenants are spread over nodes', async () => {
  const texts = [first!.text]
  for (const { name, text } of later) {
    assert.deepEqual(await citusHazards(text, await tableKinds(texts)), [], name)
    texts.push(text)
  }
})

const hazards: [string, RegExp][] = [
  ['alter table leads drop column phone', /drops phone/],
  ['drop table notes', /drops table/],
  ['drop index leads_by_phone', /drops index/],
  ['drop function queue_job', /drops function/],
  ['alter table leads rename column phone to telephone', /renames telephone/],
  ['alter table leads rename to prospects', /renames prospects/],
  ['alter table leads alter column phone type varchar(40)', /type of phone/],
  ['alter table leads alter column phone set not null', /phone must not be null/],
  ['alter table leads add column score int not null', /score must not be null/],
  [
    'alter table leads add column seen timestamptz not null default clock_timestamp()',
    /computed for each row/,
  ],
  ['alter table leads add column seen timestamptz default current_timestamp', /computed for each row/],
  ['alter table leads add column token text unique', /token is unique/],
  ['alter table leads add column upper_name text generated always as (upper(name)) stored', /generated/],
  ['alter table leads add constraint positive check (score > 0)', /positive is checked at once/],
  ['alter table leads add foreign key (company_id) references companies (id)', /checked at once/],
  ['alter table leads drop constraint positive', /drops positive/],
  ['create index leads_by_score on leads (score)', /index on leads/],
  ['create unique index leads_by_score on leads (score)', /index on leads/],
  ['update leads set score = 0', /changes rows of leads/],
  ['delete from leads where score is null', /changes rows of leads/],
  ['truncate mails', /truncate/],
  ['lock table leads', /lock/],
  ['create index concurrently leads_by_score on leads (score)', /if not exists/],
  ['drop index concurrently leads_by_score', /if exists/],
  [
    'create index concurrently if not exists leads_by_score on leads (score); alter table leads add column score int',
    /in no transaction/,
  ],
  ['create table a (n int); alter table b add column n int not null', /column n/],
]
for (const [text, why] of hazards)
  test(`a hazard: ${text}`, async () => {
    const found = await migrationHazards(text)
    assert.equal(found.length, 1, JSON.stringify(found))
    assert.match(found[0]!, why)
  })

const harmless = [
  'create table scores (installer_id text not null, n int not null, primary key (installer_id, n)); create index on scores (n); alter table scores add column m int not null; update scores set n = 1',
  'alter table leads add column score int',
  'alter table leads add column score int not null default 0',
  "alter table leads add column tags text[] not null default '{}'::text[]",
  'alter table leads add constraint positive check (score > 0) not valid',
  'alter table leads validate constraint positive',
  'create index concurrently if not exists leads_by_score on leads (score)',
  'create or replace function two() returns int language sql as $$ select 2 $$',
  "insert into settings (name, value) values ('a', 'b')",
  '-- contract: unused since 000007\nalter table leads drop column phone; drop index leads_by_phone',
]
for (const text of harmless)
  test(`harmless: ${text.slice(0, 80)}`, async () => assert.deepEqual(await migrationHazards(text), []))

test('that something is no longer used excuses nothing else', async () => {
  const text =
    '-- contract: unused since 000007\nalter table leads drop column phone, alter column score set not null'
  assert.equal((await migrationHazards(text)).length, 2)
})

const kinds = await tableKinds([first!.text])

const onCitus: [string, RegExp][] = [
  ['create table scores (installer_id text not null, id text primary key)', /would stay on the coordinator/],
  [
    'create table scores (installer_id text references companies, id text, primary key (installer_id, id))',
    /points to companies before it is spread/,
  ],
  ['create unique index concurrently leads_by_score on leads (score)', /installer_id must be part of it/],
  ['alter table leads add constraint one unique (score)', /installer_id must be part of it/],
  ['alter table leads add foreign key (id) references projects (lead_id) not valid', /without installer_id/],
  [
    'alter table leads add foreign key (installer_id, a) references projects (id, installer_id) not valid',
    /without installer_id/,
  ],
  ['alter table leads add foreign key (person) references auth_users (id) not valid', /distributed to local/],
  ['alter table members add foreign key (lead) references leads (id) not valid', /reference to distributed/],
  ['alter table settings add foreign key (lead) references leads (id) not valid', /local to distributed/],
  ['alter table leads add column score int check (score > 0)', /add that by itself/],
  ['create trigger t after update on members execute function refuse_change_of_log()', /on every node/],
  ['do $$ begin delete from leads; end $$', /do:/],
]
for (const [text, why] of onCitus)
  test(`a hazard where tenants are spread: ${text}`, async () => {
    const found = await citusHazards(text, kinds)
    assert.equal(found.length, 1, JSON.stringify(found))
    assert.match(found[0]!, why)
  })

test('what a later migration of every kind does is harmless where tenants are spread', async () => {
  for (const text of [laterMigration, laterIndexes]) {
    assert.deepEqual(await citusHazards(text, kinds), [])
    assert.deepEqual(await migrationHazards(text), [])
  }
})
