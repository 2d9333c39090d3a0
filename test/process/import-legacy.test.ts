import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Demo } from '../../src/demo/demo-json.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { createKey } from '../../src/domain/tenants/keys/create-key.ts'
import { addMember } from '../../src/domain/tenants/members/add-member.ts'
import { type App, startApp } from '../support/app.ts'
import { sunstead } from '../support/commands.ts'
import { root, userEnvironment } from '../support/process.ts'

type Item = Record<string, unknown> & { id: string }

let source: App
let target: App
let demo: Demo['companies'][number]
let company: { id: string; key: string; number: number }
let env: Record<string, string>

before(async () => {
  source = await startApp({ env: { DEMO: '1' } })
  const { companies } = JSON.parse(await readFile(join(source.dataDir, 'demo.json'), 'utf8')) as Demo
  demo = companies[0]!
  target = await startApp()
  const { db } = target.database
  const made = await createCompany(db, new Date(), { name: 'Moved In', timezone: 'America/Los_Angeles' })
  const { secret } = await createKey(db, new Date(), { company: made.id, name: 'test' })
  company = { id: made.id, key: secret, number: made.number }
  const members = await source.database.rows<{ email: string; name: string; phone: string | null }>(
    `select distinct on (email) email, name, phone from members where installer_id = $1 and deactivated_at is null`,
    [demo.id],
  )
  for (const { email, name, phone } of members)
    await addMember(db, new Date(), { company: made.id, email, name, phone, role: 'rep' })
  env = {
    DATABASE_URL: target.database.url,
    DATA_DIR: target.dataDir,
    OUTBOUND_TRUSTED_HOSTS: new URL(source.url).host,
    LEGACY_KEY: demo.key,
  }
})

after(async () => {
  await source.stop()
  await target.stop()
})

const args = () => ['import', 'legacy', '--base-url', `${source.url}/legacy`, '--installer-id', demo.id]

async function listed(app: App, key: string, installer: string, operation: string): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 1; ; page++) {
    const { body } = await app.get(`/legacy/${operation}?installer_id=${installer}&page=${page}`, key)
    if (body.data.length === 0) return items
    items.push(...body.data)
  }
}

const operations = [
  'fetch_all_lead_installer',
  'fetch_all_lead_hi_installer',
  'fetch_all_project_installer',
  'fetch_all_project_installer_hi',
]

/** Addresses are each server's own; what is known of adders is only what they cost together. */
const ownFields = ['id', 'projectSiteId', 'contractURL', 'proposalURL', 'projectURL', 'allFilesURL']

function comparable(item: Item): Record<string, unknown> {
  const kept = Object.entries(item).filter(([name]) => !ownFields.includes(name))
  const fields = Object.fromEntries(kept)
  if (Array.isArray(item.adders) && item.adders.length > 1) delete fields.addersCost
  return fields
}

/** Each record there, with the one that it is here. */
async function compareRecords(): Promise<number> {
  let compared = 0
  const known = await target.database.rows<{ kind: string; legacyId: string; id: string }>(
    `select r.kind, r.legacy_id as "legacyId",
        case when r.kind = 'lead' then coalesce(l.reference, l.id) else coalesce(p.reference, p.id) end as id
      from legacy_records r join leads l on l.id = r.lead_id left join projects p on p.id = l.project_id`,
  )
  const idHere = new Map(known.map(({ kind, legacyId, id }) => [`${kind} ${legacyId}`, id]))
  for (const operation of operations) {
    const there = await listed(source, demo.key, demo.id, operation)
    const here = new Map(
      (await listed(target, company.key, company.id, operation)).map((item) => [item.id, item]),
    )
    assert.equal(here.size, there.length, operation)
    const kind = operation.includes('lead') ? 'lead' : 'project'
    for (const item of there) {
      const own = here.get(idHere.get(`${kind} ${item.id}`)!)
      assert.ok(own, `${operation} ${item.id}`)
      assert.deepEqual(comparable(own), comparable(item), `${operation} ${item.id}`)
      if (/^[A-Za-z0-9]{10}$/.test(item.id)) assert.equal(own.id, item.id)
      compared++
    }
  }
  return compared
}

const filesText = `select json_agg(f.folder || ' ' || f.name || ' ' || encode(f.sha256, 'hex') order by f.folder, f.name)::text
  as files, p.id from projects p join files f on f.project_id = p.id and f.installer_id = p.installer_id
  where p.installer_id = $1 and f.revoked_at is null group by p.id`

/** Of a solar project the newest contract comes, of home improvement all of them. */
async function compareFiles(): Promise<number> {
  const rows = (app: App, installer: string) =>
    app.database.rows<{ files: string; id: string }>(filesText, [installer])
  const there = await rows(source, demo.id)
  const here = await rows(target, company.id)
  const pairs = await target.database.rows<{ legacyId: string; id: string }>(
    `select legacy_id as "legacyId", l.project_id as id from legacy_records r join leads l on l.id = r.lead_id
      where r.kind = 'project'`,
  )
  const sourceIds = await source.database.rows<{ id: string; name: string; line: string }>(
    `select id, coalesce(reference, id) as name, product_line as line from projects where installer_id = $1`,
    [demo.id],
  )
  let compared = 0
  for (const { id, name, line } of sourceIds) {
    const own = pairs.find(({ legacyId }) => legacyId === name)!
    const files = (found: { files: string; id: string }[], projectId: string) =>
      JSON.parse(found.find((one) => one.id === projectId)?.files ?? '[]') as string[]
    const wanted = files(there, id)
    const contracts = wanted.filter((file) => file.startsWith('contract '))
    const got = files(here, own.id)
    const others = (all: string[]) => all.filter((file) => !file.startsWith('contract '))
    assert.deepEqual(others(got), others(wanted), name)
    assert.equal(
      got.length - others(got).length,
      line === 'solar' ? Math.min(1, contracts.length) : contracts.length,
      name,
    )
    compared += got.length
  }
  return compared
}

const counts = async () => {
  const [row] = await target.database.rows<Record<string, number>>(
    `select (select count(*)::int from leads) as leads, (select count(*)::int from projects) as projects,
      (select count(*)::int from files) as files, (select count(*)::int from events) as events,
      (select count(*)::int from activities) as activities, (select count(*)::int from mails) as mails,
      (select count(*)::int from notifications) as notifications,
      (select max(updated_at)::text from leads) as newest`,
  )
  return row!
}

test('a dry run says what would come and writes nothing', async () => {
  const before = await counts()
  // Whose key it is, our own server tells.
  const plainly = ['import', 'legacy', '--base-url', `${source.url}/legacy`, '--key', demo.key]
  const { code, stdout, stderr } = await sunstead([...plainly, '--dry-run', '--json'], env)
  assert.equal(code, 0, stderr)
  const report = JSON.parse(stdout)
  for (const operation of operations) {
    const name = `${operation.includes('lead') ? 'lead' : 'project'} ${operation.includes('hi') ? 'hi' : 'solar'}`
    const there = await listed(source, demo.key, demo.id, operation)
    assert.deepEqual(report.records[name], { made: there.length, updated: 0, unchanged: 0, refused: 0 })
  }
  assert.ok(report.files > 0)
  assert.deepEqual(await counts(), before)
})

test('killed again and again it goes on, and the whole company is here, each record once', async () => {
  let kills = 0
  let last = ''
  const done = async () => {
    const [row] = await target.database.rows<{ done: number }>(
      `select (select count(*) from legacy_records)::int + (select count(*) from files)::int as done`,
    )
    return row!.done
  }
  for (;;) {
    const child = spawn(process.execPath, [join(root, 'bin/sunstead.js'), ...args(), '--json'], {
      cwd: root,
      env: userEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close')
    let over = false
    void ended.then(() => {
      over = true
    })
    last = ''
    child.stdout.on('data', (chunk) => {
      last += chunk
    })
    child.stderr.on('data', (chunk) => {
      assert.doesNotMatch(String(chunk), new RegExp(demo.key))
    })
    // It is killed after some more of its work, wherever that is, but for the last time.
    const begun = await done()
    const wanted = begun + 40 + kills * 15
    while (!over && (kills >= 5 || (await done()) < wanted)) await wait(5)
    if (over) {
      const [code] = await ended
      assert.equal(code, 0, last)
      break
    }
    child.kill('SIGKILL')
    await ended
    kills++
  }
  assert.ok(kills >= 4, `${kills} kills`)
  const compared = await compareRecords()
  assert.ok(compared >= 90, `${compared} records`)
  assert.ok((await compareFiles()) > 20)
  const report = JSON.parse(last)
  const made = (name: string) => report.records[name].made
  const { leads, projects, files, mails, notifications } = await counts()
  assert.equal(made('lead solar') + made('lead hi'), leads, 'all that the walk made is in its report')
  assert.equal(made('project solar') + made('project hi'), projects)
  assert.equal(report.files, files)
  assert.deepEqual([mails, notifications], [0, 0])
  assert.equal(report.catalogue.fetch_all_panel.refused.length, 0)
})

test('run again, nothing is new', async () => {
  const before = await counts()
  const { code, stdout, stderr } = await sunstead([...args(), '--json'], env)
  assert.equal(code, 0, stderr)
  assert.deepEqual(await counts(), before)
  const report = JSON.parse(stdout)
  for (const one of Object.values(report.records) as { made: number; updated: number }[])
    assert.deepEqual([one.made, one.updated], [0, 0])
  assert.equal(report.files, 0)
})

test('what changed there is taken over, and what was changed here stays', async () => {
  const [there] = await listed(source, demo.key, demo.id, 'fetch_all_project_installer')
  const [, other] = await listed(source, demo.key, demo.id, 'fetch_all_project_installer')
  const stageOf = async (id: string) => (await target.get(`/v1/projects/${id}`, company.key)).body.stage.name
  const here = async (legacyId: string) => {
    const [row] = await target.database.rows<{ id: string; leadId: string }>(
      `select l.project_id as id, l.id as "leadId" from legacy_records r join leads l on l.id = r.lead_id
        where r.kind = 'project' and r.legacy_id = $1`,
      [legacyId],
    )
    return row!
  }
  const move = (app: App, id: string, stage: string, key: string) =>
    app.call('POST', `/v1/projects/${id}/stage`, { key, body: { stage } })
  const mine = await here(there!.id)
  const both = await here(other!.id)
  assert.equal((await move(source, there!.id, 'Inspection', demo.key)).status, 200)
  assert.equal((await move(source, other!.id, 'Inspection', demo.key)).status, 200)
  assert.equal((await move(target, both.id, 'Design', company.key)).status, 200)
  await target.call('PATCH', `/v1/leads/${mine.leadId}`, { key: company.key, body: { notes: 'called here' } })

  const before = await counts()
  const { code, stdout, stderr } = await sunstead([...args(), '--json'], env)
  assert.equal(code, 0, stderr)
  assert.equal(await stageOf(mine.id), 'Inspection')
  assert.equal(await stageOf(both.id), 'Design')
  const { body } = await target.get(`/v1/leads/${mine.leadId}`, company.key)
  assert.equal(body.notes, 'called here')
  const report = JSON.parse(stdout)
  assert.equal(report.records['project solar'].updated, 1)
  assert.deepEqual(
    report.problems
      .filter(({ field }: { field: string }) => field === 'stageId')
      .map((one: { message: string; example: string }) => [one.message, one.example]),
    [['changed there and here: what is here was kept', other!.id]],
  )
  assert.equal((await counts()).mails, before.mails)
})

test('nothing is stale', async () => {
  const { code, stdout } = await sunstead(['doctor'], env)
  assert.equal(code, 0, stdout)
})
