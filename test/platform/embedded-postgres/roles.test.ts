import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../src/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../../../src/platform/log.ts'
import { migrate } from '../../../src/platform/migrate.ts'
import { migrateQueue } from '../../../src/platform/queue.ts'

const settings = { fsync: 'off' }
let dataDir: string
let postgres: EmbeddedPostgres

const reopen = async () => {
  postgres = await openEmbeddedPostgres({ dataDir, role: 'server', settings })
}

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sunstead-roles-'))
  await chmod(dataDir, 0o755)
  await reopen()
})
after(async () => {
  await postgres.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function as(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
    .query(text)
    .then(
      ({ rows }) => rows,
      (error) => {
        throw error
      },
    )
    .finally(() => client.end())
}

async function migrateAs(url: string): Promise<void> {
  await migrate(url)
  await migrateQueue(url, createLog('silent'))
}

test('the application is no superuser, and may do nothing outside of its database', async () => {
  const [role] = await as(
    postgres.url,
    `select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, pg_get_userbyid(datdba) = rolname as own
      from pg_roles join pg_database on datname = current_database() where rolname = current_user`,
  )
  assert.deepEqual(role, {
    rolname: 'sunstead_app',
    rolsuper: false,
    rolcreatedb: false,
    rolcreaterole: false,
    rolreplication: false,
    rolbypassrls: false,
    own: true,
  })
  for (const text of [
    `select pg_read_file('/etc/passwd')`,
    `copy (select 1) to program 'true'`,
    `copy (select 1) to '/tmp/sunstead-copied'`,
    'create database more',
    'create role somebody',
    'alter role sunstead_app superuser',
    'set role sunstead',
    `alter system set log_statement = 'all'`,
    `set log_min_messages = 'debug5'`,
    'create extension adminpack',
    'select rolpassword from pg_authid',
  ])
    await assert.rejects(as(postgres.url, text), { code: /42501|0A000|58P01/ }, text)
})

test('a cluster that an earlier version made is mended at start, and goes on under the plain role', async () => {
  // As it was: everything made by and belonging to the superuser, whose password alone is written down.
  await as(postgres.ownerUrl, 'alter database sunstead owner to sunstead')
  await as(postgres.ownerUrl, 'drop owned by sunstead_app; drop role sunstead_app')
  await migrateAs(postgres.ownerUrl)
  await as(
    postgres.ownerUrl,
    `create type sort as enum ('a'); create domain word as text; create view shown as select 1 as one;
      create materialized view kept as select 1 as one; create sequence counted; create type pair as (a int, b int)`,
  )
  await postgres.close()
  const file = join(dataDir, 'postgres.json')
  const { applicationPassword: _, ...record } = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify(record))
  await writeFile(join(dataDir, 'postgres.log'), 'DETAIL:  Key (email)=(ada@example.com) already exists.\n')
  await writeFile(
    join(dataDir, 'postgres.log.old'),
    'DETAIL:  Key (email)=(ada@example.com) already exists.\n',
  )

  await reopen()
  const strays = await as(
    postgres.url,
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'graphile_worker') and pg_get_userbyid(c.relowner) <> 'sunstead_app'
      union all select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('public', 'graphile_worker') and pg_get_userbyid(p.proowner) <> 'sunstead_app'
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all select nspname from pg_namespace where nspname = 'graphile_worker' and pg_get_userbyid(nspowner) <> 'sunstead_app'
      union all select t.typname from pg_type t join pg_namespace n on n.oid = t.typnamespace
        where n.nspname = 'public' and t.typname in ('sort', 'word', 'pair') and pg_get_userbyid(t.typowner) <> 'sunstead_app'`,
  )
  assert.deepEqual(strays, [])
  await migrateAs(postgres.url)
  await as(
    postgres.url,
    `alter table leads add column tried text; alter table leads drop column tried; select nextval('counted');
      insert into settings (name, value) values ('tried', 'x'); select graphile_worker.add_job('nothing');
      drop materialized view kept; drop view shown; drop type sort; drop domain word; drop type pair`,
  )
  assert.doesNotMatch(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /ada@example/)
  await assert.rejects(readFile(join(dataDir, 'postgres.log.old')), { code: 'ENOENT' })

  // Where such a version was used once more in between, what it made is handed over too.
  await as(postgres.ownerUrl, 'create table late (n int)')
  await postgres.close()
  await reopen()
  await as(postgres.url, 'insert into late values (1); drop table late')
})

test('a first start under the plain role makes all that is needed', async () => {
  await as(postgres.ownerUrl, 'drop schema public cascade; drop schema graphile_worker cascade')
  await as(postgres.ownerUrl, 'create schema public authorization pg_database_owner')
  await migrateAs(postgres.url)
  const [{ n } = {}] = await as(
    postgres.url,
    `select count(*)::int as n from pg_extension where extname in ('pg_trgm', 'btree_gin')`,
  )
  assert.equal(n, 2)
})

test('what statements hold does not get into the log', async () => {
  const marker = 'ada.moreno@example.com'
  await as(postgres.url, 'create table people (email text primary key, age int, check (age > 0))')
  await as(postgres.url, `insert into people values ('${marker}', 1)`)
  const statements = [
    `insert into people values ('${marker}', 1)`,
    `insert into people values ('2 ${marker}', -1)`,
    `select '${marker}'::int`,
    `select '${marker}'::timestamptz`,
    `selekt '${marker}' ${'and so on '.repeat(2_000)}`,
    `select from "${marker}"`,
    `do $$ begin raise exception 'about ${marker}'; end $$`,
    `do $$ begin raise warning 'about ${marker}'; raise exception 'end'; end $$`,
    `select to_date('${marker}', 'YYYY')`,
    `set statement_timeout = 50; select pg_sleep(5), '${marker}'`,
  ]
  for (const text of statements) await assert.rejects(as(postgres.url, text), text)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await assert.rejects(client.query('insert into people values ($1, $2)', [marker, 1]))
  await assert.rejects(client.query('select $1::int', [marker]))
  await client.end()
  // A crash would tell what was running.
  const victim = new pg.Client({ connectionString: postgres.url })
  victim.on('error', () => {})
  await victim.connect()
  const { rows } = await victim.query('select pg_backend_pid() as pid')
  const cut = assert.rejects(victim.query(`select pg_sleep(60), '${marker}'`))
  await as(postgres.url, 'select pg_sleep(0.1)')
  process.kill(rows[0].pid, 'SIGKILL')
  await cut
  const log = async () => readFile(join(dataDir, 'postgres.log'), 'utf8')
  while (!/was terminated by signal/.test(await log()));
  assert.doesNotMatch(await log(), /ada\.moreno|and so on/)
})
