import assert from 'node:assert/strict'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Demo } from '../../src/demo/demo-json.ts'
import { ensureDemo } from '../../src/demo/ensure-demo.ts'
import { listCompanies } from '../../src/domain/kernel/tenant/queries.ts'
import type { Database, Db } from '../../src/platform/db.ts'
import { temporaryFolder } from '../support/process.ts'
import { testContent } from './content-tests.ts'
import { clientOf, demoFile, type Running, start } from './demo-server.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let running: Running | null = null
let original: Demo

/** What must be the same at every fresh start: everything but ids, keys, tokens and times. */
function story(db: Db): Promise<object[]> {
  return db.query(
    {
      name: 'test-story',
      text: `select c.name, l.reference, l.status, l.product_line, l.first_name, l.last_name, l.email, l.phone, l.co_email,
          l.line1, l.city, l.monthly_bill, l.source_name, l.external_id, l.notes, rep.email as rep,
          p.reference as project_reference, s.name as stage, p.ntp_granted, p.contract_price, p.financing, p.system,
          p.products, p.notes as project_notes, pm.email as pm,
          (select json_agg(f.folder || ' ' || f.name || ' ' || encode(f.sha256, 'hex') order by f.added_at, f.ordinal)
            from files f where f.project_id = p.id) as files,
          (select json_agg(regexp_replace(a.body, '\\d{4}-\\d\\d-\\d\\d', '') order by a.at, a.ordinal)
            from activities a where a.lead_id = l.id) as feed
        from leads l join companies c on c.id = l.company_id
          left join members rep on rep.id = l.sales_rep_id
          left join projects p on p.id = l.project_id
          left join stages s on s.id = p.stage_id
          left join members pm on pm.id = p.project_manager_id
        order by c.number, l.created_at`,
    },
    [],
  )
}

const exists = (name: string) =>
  stat(join(folder.path, name)).then(
    () => true,
    () => false,
  )

before(async () => {
  folder = await temporaryFolder()
})

after(async () => {
  await running?.stop()
  await folder.remove()
})

test('it is made whole or not at all, and tells the same story again', async () => {
  running = await start(folder.path, { DEMO: '0' })
  const { server, config } = running
  // As a start does: what it takes is no call's.
  const deps = { ...server.deps, db: server.deps.jobsDb }
  assert.equal(server.demo, null)
  assert.equal(await ensureDemo(deps, { ...config, demo: null }, false), null)
  assert.deepEqual(await listCompanies(deps.db, { afterNumber: 0, limit: 1 }), [])

  let told: object[] = []
  const failing: Database = {
    ...deps.db,
    transaction: (work) =>
      deps.db.transaction(async (tx) => {
        await work(tx)
        told = await story(tx)
        throw new Error('killed')
      }),
  }
  const wanted = { ...config, demo: true }
  await assert.rejects(ensureDemo({ ...deps, db: failing }, wanted, true), /killed/)
  assert.deepEqual(await listCompanies(deps.db, { afterNumber: 0, limit: 1 }), [])
  assert.deepEqual(await Array.fromAsync(deps.copying.store.list()), [])
  assert.equal(await exists('demo.json'), false)
  assert.equal(await exists('demo.json.pending'), true)

  const { demo, isNew } = (await ensureDemo(deps, wanted, true))!
  assert.equal(isNew, true)
  original = await demoFile(folder.path)
  assert.deepEqual(original, demo)
  assert.equal(await exists('demo.json.pending'), false)
  assert.ok(told.length > 200)
  assert.deepEqual(await story(deps.db), told)
  assert.deepEqual(await ensureDemo(deps, wanted, true), { demo, isNew: false })
})

// Here and not in a file of its own: making it takes a minute of a slow machine.
testContent(() => running!)

test('a second start keeps the data and the keys, and refreshes the addresses', async () => {
  await running?.stop()
  running = await start(folder.path, { DEMO: '1', BASE_URL: 'https://demo.example.com' })
  const { deps } = running.server
  const { demo, isNew } = running.server.demo!
  assert.equal(isNew, false)
  assert.deepEqual(demo.companies, original.companies)
  assert.equal(demo.baseUrl, 'https://demo.example.com')
  assert.equal(demo.legacyBaseUrl, 'https://demo.example.com/legacy')
  assert.deepEqual(await demoFile(folder.path), demo)
  assert.equal((await listCompanies(deps.db, { afterNumber: 0, limit: 10 })).length, 5)
  await running.stop()
  running = null
})

test('keys that were not yet in their place when the process was killed are found again', async () => {
  await rename(join(folder.path, 'demo.json'), join(folder.path, 'demo.json.pending'))
  running = await start(folder.path, { DEMO: '0' })
  const { deps } = running.server
  const { demo, isNew } = running.server.demo!
  assert.equal(isNew, true)
  assert.deepEqual(demo.companies, original.companies)
  assert.equal(demo.baseUrl, deps.addresses.baseUrl)
  assert.equal(demo.consoleUrl, demo.baseUrl)
  assert.deepEqual(await demoFile(folder.path), demo)
  assert.equal((await stat(join(folder.path, 'demo.json'))).mode & 0o777, 0o600)
  assert.equal(await exists('demo.json.pending'), false)
  assert.equal((await clientOf(demo, 0).get('/me')).status, 200)
  assert.ok((await clientOf(demo, 0).all('/leads')).length > 100)
})

test('keys that no company has are not taken for the demo', async () => {
  const { server, config } = running!
  const companies = original.companies.map((company) => ({ ...company, key: `psk_${'0'.repeat(40)}` }))
  await rm(join(folder.path, 'demo.json'))
  await writeFile(join(folder.path, 'demo.json.pending'), JSON.stringify({ ...original, companies }))
  assert.equal(await ensureDemo(server.deps, { ...config, demo: true }, true), null)
  assert.equal(await exists('demo.json'), false)
  assert.equal((await listCompanies(server.deps.db, { afterNumber: 0, limit: 10 })).length, 5)
})

test('owners of a demo from before people could sign in get the passwords that it names', async () => {
  const { server, config } = running!
  const companies = original.companies.map(({ members: _, ...company }) => company)
  await writeFile(join(folder.path, 'demo.json'), JSON.stringify({ ...original, companies }))
  await server.deps.db.execute('delete from auth_users')
  const { demo } = (await ensureDemo(server.deps, { ...config, demo: true }, true))!
  for (const { owner } of demo.companies) {
    const answer = await fetch(`${demo.baseUrl}/console/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(demo.baseUrl).origin },
      body: JSON.stringify(owner),
    })
    assert.equal(answer.status, 200, owner.email)
  }
})
