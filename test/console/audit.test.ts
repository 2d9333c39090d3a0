import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { moveStage } from '../../src/domain/deals/projects/move-stage.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, keyFor, lead, member, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { pdf } from '../support/sample-files.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
interface Entry {
  type: string
  actor: { kind: string; name: string }
  leadId: string | null
  customer: string | null
  name: string | null
  companyId: string
  at: string
  changes: { field: string; from: unknown; to: unknown }[]
}

let app: App
let world: World
let olga: Person
let owner: Client
let dealersOwner: Client

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  olga = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
  owner = await signedIn(app, olga)
  dealersOwner = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner', 'Dora Owner'))
})

async function read(client: Client, query: Record<string, string | number> = {}) {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const { status, body } = await client.get(`/audit?${text}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { entries: Entry[]; next: string | null }
}

describe('the audit log', () => {
  test('says who changed what, from what to what, with names for ids', async () => {
    const rita = await member(world, world.installer, 'Rita Rep')
    const leadId = await lead(world.installer, { firstName: 'Ada', lastName: 'Moreno' })
    await owner.call('PATCH', `/leads/${leadId}`, { body: { salesRepId: rita.id, status: 'contacted' } })
    const { entries } = await read(owner, { record: leadId })
    assert.deepEqual(
      entries.map(({ type, actor, customer }) => [type, actor.name, customer]),
      [
        ['lead.updated', 'Olga Owner', 'Ada Moreno'],
        ['lead.created', 'Sunrise Solar console', 'Ada Moreno'],
      ],
    )
    assert.deepEqual(
      entries[0]!.changes.toSorted((a, b) => a.field.localeCompare(b.field)),
      [
        { field: 'salesRepId', from: null, to: 'Rita Rep' },
        { field: 'status', from: 'new', to: 'contacted' },
      ],
    )
  })

  test('finds a project by its id, its reference and its lead, and tells each thing once', async () => {
    const { leadId, projectId } = await project(world.installer)
    await moveStage(world.installer.as(), projectId, 'Site Survey')
    await app.send('PUT', `/console/api/projects/${projectId}/files?folder=permit&name=permit.pdf`, {
      raw: pdf,
      headers: { cookie: owner.cookie, 'x-sunstead-console': '1' },
    })
    const types = async (record: string) => (await read(owner, { record })).entries.map(({ type }) => type)
    const byLead = await types(leadId)
    assert.deepEqual(byLead.slice(0, 2), ['project.updated', 'project.stage_changed'])
    assert.deepEqual(await types(projectId), byLead)
    const { reference } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    if (reference) assert.deepEqual(await types(reference), byLead)
    assert.deepEqual(await types('Zz00000000'), [])
    assert.deepEqual(await types('proj_none000000'), [])
    const { entries } = await read(owner, { record: projectId })
    assert.deepEqual(entries[0]!.changes, [{ field: 'files.permit', from: null, to: ['permit.pdf'] }])
  })

  test('is filtered by who, by kind and by time', async () => {
    const { secret, key } = await keyFor(world, world.installer, { name: 'Robot' })
    const made = await app.call('POST', '/v1/leads', {
      key: secret,
      body: {
        firstName: 'By',
        lastName: 'Key',
        address: { line1: '1 A St', city: 'B', state: 'CA', postalCode: '92101' },
      },
    })
    assert.equal(made.status, 201)
    const byKey = (await read(owner, { actor: key.id })).entries
    assert.deepEqual(
      byKey.map(({ type, actor }) => [type, actor.kind, actor.name]),
      [['lead.created', 'key', 'Robot']],
    )
    const byOlga = (await read(owner, { actor: olga.id })).entries
    assert.ok(byOlga.length > 0 && byOlga.every(({ actor }) => actor.name === 'Olga Owner'))
    for (const kind of ['lead', 'key', 'member']) {
      const { entries } = await read(owner, { kind })
      assert.ok(
        entries.every(({ type }) => type.startsWith(`${kind}.`)),
        kind,
      )
      if (kind !== 'member') assert.ok(entries.length > 0, kind)
    }
    const { at } = byKey[0]!
    const later = new Date(Date.parse(at) + 1).toISOString()
    const within = (await read(owner, { from: at, to: later })).entries
    assert.deepEqual(
      within.map((entry) => entry.at),
      [at],
    )
    assert.deepEqual((await read(owner, { from: at, to: at })).entries, [])
    assert.deepEqual((await read(owner, { kind: 'nothing' })).entries, [])
  })

  test('is paged, with nothing twice and nothing left out', async () => {
    const ids = (page: { entries: Entry[] }) =>
      page.entries.map((entry) => (entry as unknown as { id: string }).id)
    const all = ids(await read(owner, { limit: 200, kind: 'lead' }))
    const paged: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page = await read(owner, { limit: 2, kind: 'lead', ...(after ? { after } : {}) })
      paged.push(...ids(page))
      after = page.next
    }
    assert.deepEqual(paged, all)
  })

  test('a dealer reads their company’s part, without what the installer keeps to itself', async () => {
    const { projectId } = await project(world.dealer)
    await app.send('PUT', `/console/api/projects/${projectId}/files?folder=internal&name=margin.pdf`, {
      raw: pdf,
      headers: { cookie: owner.cookie, 'x-sunstead-console': '1' },
    })
    const { entries } = await read(dealersOwner, { limit: 200 })
    assert.ok(entries.length > 0)
    assert.ok(entries.every(({ companyId }) => companyId === world.dealer.company.id))
    assert.doesNotMatch(JSON.stringify(entries), /internal|margin/)
    assert.match(JSON.stringify((await read(owner, { record: projectId })).entries), /margin\.pdf/)
    const own = await lead(world.installer)
    assert.deepEqual((await read(dealersOwner, { record: own })).entries, [])
    assert.deepEqual((await read(dealersOwner, { actor: olga.id, kind: 'key' })).entries, [])
    const foreign = await lead(world.other)
    assert.deepEqual((await read(owner, { record: foreign })).entries, [])
  })

  test('bad input is refused', async () => {
    for (const query of ['record=%00', 'actor=x', 'kind=A', 'from=yesterday', 'after=x', 'limit=0', 'x=1'])
      assert.equal((await owner.get(`/audit?${query}`)).status, 400, query)
    assert.equal((await owner.get('/audit?after=9999999999999-99999')).status, 200)
  })

  test('the database itself lets nobody change what happened', async () => {
    for (const statement of ['update events set actor_name = $1', 'delete from events where type <> $1'])
      await assert.rejects(app.database.rows(statement, ['x']), /only added to/)
    await assert.rejects(app.database.rows('truncate events', []), /only added to/)
  })

  test('each filter has its index', async () => {
    const { installerId } = world.installer.company
    const plans: [RegExp, string][] = [
      [/events_by_record/, `coalesce(lead_id, subject_id) = 'x'`],
      [/events_by_actor/, `actor_id is not null and actor_id = 'x'`],
      [
        /events_by_kind/,
        `split_part(type, '.', 1) = 'key' and split_part(type, '.', 1) not in ('lead', 'project')`,
      ],
      [/events_of_dealers/, `company_id <> installer_id and company_id = 'x'`],
    ]
    for (const [index, condition] of plans) {
      const plan = await app.database.rows(
        `explain select * from events where installer_id = '${installerId}' and ${condition}
          order by at desc, ordinal desc limit 50`,
        [],
      )
      assert.match(JSON.stringify(plan), index)
    }
  })
})
