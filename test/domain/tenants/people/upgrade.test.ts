import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { migrate } from '../../../../src/platform/migrate.ts'
import { dropDatabase, onServer, withDatabase } from '../../../support/database.ts'
import { root } from '../../../support/process.ts'

const name = `test_upgrade_${process.pid}_${randomBytes(4).toString('hex')}`
const url = withDatabase(process.env.TEST_DATABASE_URL!, name)
const client = new pg.Client({ connectionString: url })
let folder: string

/** As the version before invitations belonged to a company left it. */
const before19 = (file: string) => file < '000020'

const members = [
  ['memb_ada', 'comp_a', 'Ada@Example.com', null],
  ['memb_ada_b', 'comp_b', 'ada@example.com', null],
  ['memb_gone', 'comp_a', 'gone@example.com', 'now'],
  ['memb_invited', 'comp_a', 'invited@example.com', null],
  // Became Leon by the database's lower().
  ['memb_false', 'comp_b', 'leon@brİghtridge.example', null],
  ['memb_leon', 'comp_a', 'leon@brightridge.example', null],
] as const

before(async () => {
  await onServer(`create database ${name}`)
  folder = await mkdtemp(join(tmpdir(), 'sunstead-upgrade-'))
  for (const file of (await readdir(join(root, 'migrations'))).filter(before19))
    await copyFile(join(root, 'migrations', file), join(folder, file))
  await migrate(url, { folder })
  await client.connect()
  for (const id of ['comp_a', 'comp_b'])
    await client.query(
      `insert into companies (id, installer_id, kind, name, timezone, created_at)
        values ($1, $1, 'installer', $1, 'UTC', now())`,
      [id],
    )
  for (const [id, company, email, deactivated] of members)
    await client.query(
      `insert into members (installer_id, id, company_id, email, name, role, created_at, deactivated_at)
        values ($2, $1, $2, $3, $1, 'rep', now(), $4)`,
      [id, company, email, deactivated],
    )
  for (const email of [
    'ada@example.com',
    'gone@example.com',
    'invited@example.com',
    'leon@brightridge.example',
  ]) {
    const id = `user_${email.split('@')[0]}`
    await client.query(
      `insert into auth_users (id, name, email, "emailVerified", "createdAt", "updatedAt")
        values ($1, $1, $2, true, now(), now())`,
      [id, email],
    )
    if (email !== 'invited@example.com')
      await client.query(
        `insert into auth_accounts (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
          values ($1, $1, 'credential', $1, 'hash', now(), now())`,
        [id],
      )
  }
  await client.query(
    `insert into auth_sessions (id, "expiresAt", token, "createdAt", "updatedAt", "userId", "memberId")
      values ('s', now() + interval '1 day', 't', now(), now(), 'user_ada', 'memb_ada_b')`,
  )
  await client.query(
    `insert into auth_verifications (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
      values ('v', 'hash', 'user_ada', now() + interval '1 day', now(), now())`,
  )
  const body = 'Hello,\n\nhttps://sun.example.com/invitation?token=secret-token_1\n\nGoodbye'
  await client.query(
    `insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, next_attempt_at)
      values ('comp_a', 'mail_old', 'comp_a', 'invited@example.com', 's', $1, now(), now()),
        ('comp_a', 'mail_other', 'comp_a', 'ada@example.com', 's', 'See ?token=that', now(), now())`,
    [body],
  )
  await migrate(url)
})
after(async () => {
  await client.end()
  await dropDatabase(name)
  await rm(folder, { recursive: true, force: true })
})

test('who can sign in stays the member of each company they worked for, and nobody else becomes one', async () => {
  const { rows } = await client.query('select id, user_id from members order by id')
  assert.deepEqual(rows, [
    { id: 'memb_ada', user_id: 'user_ada' },
    { id: 'memb_ada_b', user_id: 'user_ada' },
    { id: 'memb_false', user_id: null },
    { id: 'memb_gone', user_id: 'user_gone' },
    { id: 'memb_invited', user_id: null },
    { id: 'memb_leon', user_id: 'user_leon' },
  ])
})

test('nobody is taken for proven, and links of before are worth nothing and stand nowhere', async () => {
  const users = await client.query(
    'select id, "emailVerified" as proven, "lastMemberId" as last from auth_users order by id',
  )
  assert.deepEqual(users.rows, [
    { id: 'user_ada', proven: false, last: 'memb_ada_b' },
    { id: 'user_gone', proven: false, last: null },
    { id: 'user_leon', proven: false, last: null },
  ])
  assert.equal((await client.query('select 1 from auth_verifications')).rowCount, 0)
  const mails = await client.query('select id, body, state from mails order by id')
  assert.deepEqual(mails.rows, [
    { id: 'mail_old', body: 'Hello,\n\n[…]\n\nGoodbye', state: 'failed' },
    { id: 'mail_other', body: 'See ?token=that', state: 'queued' },
  ])
})
