import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { checkRenderings } from '../../../../src/domain/deals/renderings/rerender.ts'
import { openDatabase } from '../../../../src/platform/db.ts'
import { type App, startApp } from '../../../support/app.ts'
import {
  createTestDatabase,
  dropDatabase,
  onServer,
  type TestDatabase,
  withDatabase,
} from '../../../support/database.ts'
import { createWorld, lead, member, project } from '../../../support/factories.ts'
import { expected, hiLead, hiProject, solarLead, solarProject } from '../../../support/legacy-reading.ts'
import { root } from '../../../support/process.ts'

/** What the first version had, in the order in which rows need each other. */
const tables =
  `settings companies api_keys tenant_clocks members stages leads projects activities events checklist_items
  calendar_entries notifications mails files adders equipment`.split(/\s+/)

/** A database as the version before the legacy API left it, holding the rows of another. */
async function databaseOfFirstVersion(source: TestDatabase): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await onServer(`create database ${name}`)
  const url = withDatabase(process.env.TEST_DATABASE_URL!, name)
  const db = openDatabase(url, () => {})
  await db.execute(await readFile(join(root, 'migrations/000001_foundation.sql'), 'utf8'))
  await db.execute(`create table migrations (name text primary key, applied_at timestamptz not null default now());
    insert into migrations (name) values ('000001_foundation.sql')`)
  const rows: TestDatabase['rows'] = (text, values = []) => db.query({ name: '', text }, values)
  for (const table of tables) {
    const [held] = await source.rows<{ held: string }>(
      `select coalesce(json_agg(t), '[]')::text as held from ${table} t`,
    )
    await rows(`insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`, [
      held!.held,
    ])
  }
  await rows("select setval('company_numbers', (select max(number) from companies))")
  const drop = async () => {
    await db.close()
    await dropDatabase(name)
  }
  return { url, db, rows, drop }
}

const source = await createTestDatabase()
const world = await createWorld(source.db)
const { installer, dealer, other } = world
const rep = await member(world, dealer, 'Rita Rép')
const surveyor = await member(world, installer, 'Sue Surveyor', 'surveyor')
const person = {
  firstName: 'Zoë\u0003',
  email: 'zoe@example.com',
  notes: '</script>',
  salesRepEmail: rep.email,
}
const solar = await project(dealer, person, { reference: 'ProjUid001', siteSurveyorId: surveyor.id })
const hi = await project(dealer, { ...person, productLine: 'hi', reference: 'HiLeadUid1' })
const open = await lead(installer, person)
for (const folder of ['contract', 'internal', 'siteSurvey']) {
  for (const [i, { projectId }] of [solar, hi].entries()) {
    await source.rows(
      `insert into files (installer_id, id, project_id, company_id, folder, name, source_url, source_hash, store_key, token,
        type, extension, inline, size, sha256, added_at, ordinal)
      values ($1, $2, $3, $4, $5, 'a "b".pdf', 'https://x.example', $6, 'none', $2, 'application/pdf', 'pdf', false, 1, '', now(), 0)`,
      [
        installer.company.id,
        `file_${folder.toLowerCase()}0000${i}`,
        projectId,
        dealer.company.id,
        folder,
        folder,
      ],
    )
  }
}
// Files were put there by hand, so the readings of /v1 are made anew.
await source.db.transaction((tx) => checkRenderings(tx, new Date(), installer.company.id, true))
await project(other)

const database = await databaseOfFirstVersion(source)
await source.drop()
// A tenant with so many projects that they are rendered in several rounds, the last of them full.
const copies = (change: string) =>
  `jsonb_build_object('id', r.id || n, 'updated_at', r.updated_at + n * interval '1 ms', ${change})`
const bulk = 'generate_series(1, 1499) n where r.installer_id = $1'
await database.rows(
  `insert into leads select (jsonb_populate_record(r, ${copies("'project_id', r.project_id || n")})).* from leads r, ${bulk}`,
  [other.company.id],
)
await database.rows(
  `insert into projects select (jsonb_populate_record(r, ${copies("'lead_id', r.lead_id || n")})).* from projects r, ${bulk}`,
  [other.company.id],
)

const columns = await database.rows<{ table: string; names: string[] }>(
  `select table_name as table, array_agg(column_name::text) as names from information_schema.columns
   where table_schema = 'public' group by table_name`,
)

/** Everything but what the upgrade adds, and what a server writes down by itself: its secret, and when keys were used. */
const everything = async () => {
  const found: Record<string, unknown> = {}
  for (const table of tables) {
    if (table === 'api_keys' || table === 'settings') continue
    const [row] = await database.rows<{ rows: object[] }>(
      `select json_agg(r order by r::text) as rows from ${table} t cross join lateral (
         select jsonb_object_agg(key, value) as r from jsonb_each(to_jsonb(t)) where key = any($1)
       ) kept`,
      [columns.find((one) => one.table === table)!.names],
    )
    found[table] = row!.rows
  }
  return found
}
const before = await everything()
const apps: App[] = await Promise.all([startApp({ database }), startApp({ database })])
after(async () => {
  for (const app of apps) await app.stop()
  await database.drop()
})

const read = async (app: App, leadId: string, key: string) => {
  const { body } = await app.get(`/v1/leads/${leadId}`, key)
  const project = body.project ? (await app.get(`/v1/projects/${body.project.id}`, key)).body : null
  return { lead: body, project, zone: 'America/Denver' }
}

test('two servers that start on a database of the version before upgrade it once, and change nothing in it', async () => {
  const applied = await database.rows<{ name: string }>('select name from migrations order by name')
  assert.equal(applied[1]!.name, '000002_legacy_api.sql')
  const now = await everything()
  for (const table of Object.keys(before)) assert.deepEqual(now[table], before[table], table)
})

test('the legacy readings of what was there are right, single and in lists', async () => {
  for (const app of apps) {
    for (const who of [installer, dealer]) {
      const singles = [
        ['fetch_project', 'fetch_all_project', solar, 'ProjUid001', solarProject],
        ['fetch_project_hi', 'fetch_all_project_hi', hi, hi.projectId, hiProject],
        ['fetch_lead', 'fetch_all_lead', solar, solar.leadId, solarLead],
        ['fetch_lead_hi', 'fetch_all_lead_hi', hi, 'HiLeadUid1', hiLead],
      ] as const
      for (const [single, list, { leadId }, id, fields] of singles) {
        const reading = await read(app, leadId, who.key)
        const { body } = await app.get(`/legacy/${single}?id=${leadId}`, who.key)
        const shown = body.data ?? body
        const should = expected(fields, reading)
        if (single === 'fetch_project') should.allFilesURL = shown.allFilesURL
        assert.deepEqual({ ...shown, id }, { ...should, id })
        const page = (await app.get(`/legacy/${list}?org_id=${dealer.company.number}&page=1`, who.key)).body
        assert.deepEqual([page.data, page.total], [[{ ...shown, id }], 1], list)
      }
      const { files } = (await read(app, hi.leadId, who.key)).project
      assert.deepEqual([files.internal.length, files.contract.length], [who === installer ? 1 : 0, 1])
    }
    const { id, ...shown } = (await app.get(`/legacy/fetch_lead?id=${open}`, installer.key)).body
    assert.deepEqual([id, shown], [open, expected(solarLead, await read(app, open, installer.key))])
  }
})

test('its folders have addresses of their own that open', async () => {
  const secrets = await database.rows<{ secrets: number; projects: number; shortest: number }>(
    'select count(distinct folder_secret) as secrets, count(*) as projects, min(length(folder_secret)) as shortest from projects',
  )
  assert.deepEqual([secrets[0]!.secrets, secrets[0]!.shortest >= 32], [secrets[0]!.projects, true])
  const [app] = apps
  const { data } = (await app!.get(`/legacy/fetch_project?id=${solar.projectId}`, installer.key)).body
  const pages = Object.values(data.allFilesURL as Record<string, string>).filter(Boolean)
  assert.equal(new Set(pages).size, 11)
  for (const url of pages) assert.equal((await app!.send('GET', url.slice(app!.url.length))).status, 200)
  const survey = await app!.send('GET', data.allFilesURL.surveyFiles.slice(app!.url.length))
  assert.match(survey.text, /a &#34;b&#34;\.pdf/)
})

test('every project of a large tenant was rendered, each as itself', async () => {
  const found = await database.rows<{ id: string; text: string | null }>(
    'select id, legacy_rendering as text from projects where installer_id = $1',
    [other.company.id],
  )
  assert.equal(found.length, 1500)
  for (const { id, text } of found) assert.ok(text?.startsWith(`{"id":"${id}",`), `${id}: ${text}`)
})

test('nothing of it is stale, and writing goes on as ever', async () => {
  const { checked, stale } = await checkRenderings(database.db, new Date(), installer.company.id, false)
  assert.deepEqual([checked, stale], [5, []])
  const [app] = apps
  const { key } = installer
  await app!.call('PATCH', `/v1/leads/${solar.leadId}`, { key, body: { firstName: 'Ada' } })
  const { data } = (await app!.get('/legacy/fetch_project?id=ProjUid001', key)).body
  assert.equal(data.customerFirstName, 'Ada')
})

test('a start that was cut short is taken up by the next one', async () => {
  const [app] = apps
  const shown = async (of: App) => {
    const { text } = await of.get('/legacy/fetch_project?id=ProjUid001', installer.key)
    return text.replaceAll(of.url, '')
  }
  const right = await shown(app!)
  await database.rows(
    "update projects set legacy_rendering = null where installer_id = $1 or right(id, 1) < '5'",
    [installer.company.id],
  )
  const left = await everything()
  const next = await startApp({ database })
  const missing = await database.rows('select from projects where legacy_rendering is null')
  assert.deepEqual([missing, await shown(next)], [[], right])
  assert.deepEqual(await everything(), left)
  await next.stop()
})
