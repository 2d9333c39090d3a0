import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createFailureNotes, recordAccount } from '../../src/domain/journal/audit/record-account.ts'
import { membershipsOf } from '../../src/domain/tenants/people/queries.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
interface Entry {
  id: string
  type: string
  at: string
  actor: { kind: string; id: string | null; name: string | null }
  companyId: string
  subjectId: string
  name: string | null
  customer: string | null
  address: string | null
  device: string | null
  times: number
  changes: { field: string; from: unknown; to: unknown }[]
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

let app: App
let world: World
let olga: Person
let dora: Person
let owner: Client
let dealersOwner: Client

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  olga = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
  dora = await addPerson(app, world.dealer.company.id, 'owner', 'Dora Owner')
  owner = await signedIn(app, olga)
  dealersOwner = await signedIn(app, dora)
})

async function trail(client: Client, query: Record<string, string | number> = {}): Promise<Entry[]> {
  const asked = { kind: 'security', limit: 200, ...query }
  const text = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]))
  const { status, body } = await client.get(`/audit?${text}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.entries
}

const newest = async (client: Client, type: string) =>
  (await trail(client)).filter((entry) => entry.type === type)

const memberships = (person: Person) => membershipsOf(app.database.db, person.email)

describe('the security trail', () => {
  test('notes what is taken along, by whom, from where and with what', async () => {
    const { status } = await owner.call('GET', '/adders.csv', { headers: { 'user-agent': browser } })
    assert.equal(status, 200)
    const [entry] = await newest(owner, 'security.exported')
    assert.deepEqual(
      [entry?.actor.name, entry?.name, entry?.address, entry?.device],
      ['Olga Owner', 'adder', '127.0.0.1', browser],
    )
  })

  test('has invitations among it, with the address', async () => {
    const body = { email: 'vera@example.com', name: 'Vera', role: 'admin' }
    const invited = await owner.call('POST', '/people/invitations', { body })
    assert.equal(invited.status, 201, invited.text)
    const [written] = await newest(owner, 'invitation.written')
    assert.deepEqual([written?.actor.name, written?.address], ['Olga Owner', '127.0.0.1'])
    assert.deepEqual(await newest(dealersOwner, 'invitation.written'), [])
  })

  test('has keys and people among it, with the address', async () => {
    const made = await owner.call('POST', '/keys', {
      body: { name: 'Robot' },
      headers: { 'user-agent': browser },
    })
    assert.equal(made.status, 201)
    const [entry] = await newest(owner, 'key.created')
    assert.deepEqual([entry?.address, entry?.device, entry?.name], ['127.0.0.1', browser, 'Robot'])
    assert.ok(!JSON.stringify(entry).includes(made.body.secret))
  })

  test('a browser may call itself anything', async () => {
    await owner.call('GET', '/adders.csv', { headers: { 'user-agent': `${'x'.repeat(5_000)}` } })
    const [entry] = await newest(owner, 'security.exported')
    assert.equal(entry?.device?.length, 300)
  })

  test('is one log with the other, paged with nothing twice and nothing left out', async () => {
    const all = (await owner.get('/audit?limit=200')).body.entries.map((entry: Entry) => entry.id)
    assert.ok(new Set(all).size === all.length && all.length > 3)
    const paged: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { body }: { body: { entries: Entry[]; next: string | null } } = await owner.get(
        `/audit?limit=2${after ? `&after=${after}` : ''}`,
      )
      paged.push(...body.entries.map(({ id }) => id))
      after = body.next
    }
    assert.deepEqual(paged, all)
  })

  test('is found by the person it is about', async () => {
    const entries = await trail(owner, { actor: olga.id })
    assert.ok(entries.length > 0 && entries.every(({ actor }) => actor.id === olga.id))
    assert.ok((await trail(owner, { record: olga.id })).every(({ subjectId }) => subjectId === olga.id))
  })

  test('a flood of failures is one entry for each place, with how often, and few places', async () => {
    const note = createFailureNotes()
    const now = new Date()
    const people = await memberships(olga)
    for (let n = 0; n < 40; n++)
      await note(
        app.database.db,
        now,
        people,
        { address: `203.0.113.${n % 20}`, device: browser },
        { type: 'security.sign_in_failed', way: 'password' },
      )
    const failures = await newest(owner, 'security.sign_in_failed')
    assert.equal(failures.length, 11)
    assert.equal(
      failures.reduce((sum, { times }) => sum + times, 0),
      40,
    )
    assert.ok(failures.every(({ actor }) => actor.kind === 'visitor' && actor.id === olga.id))
    assert.deepEqual(
      failures.filter(({ address }) => address === null).map(({ times, device }) => [times, device]),
      [[20, null]],
    )
  })

  test('notes when the address of a calendar is made, and when it ends', async () => {
    assert.equal((await owner.call('POST', '/calendar/feed')).status, 201)
    for (let n = 0; n < 2; n++) assert.equal((await owner.call('DELETE', '/calendar/feed')).status, 200)
    const noted = (await trail(owner)).filter(({ type }) => type.startsWith('security.calendar_'))
    assert.deepEqual(
      noted.map(({ type, actor, subjectId, address }) => [type, actor.name, subjectId, address]),
      [
        ['security.calendar_address_ended', 'Olga Owner', olga.id, '127.0.0.1'],
        ['security.calendar_address_made', 'Olga Owner', olga.id, '127.0.0.1'],
      ],
    )
  })

  test('what happens to an account stands in the log of each company it works for, and in no other', async () => {
    const shared = await addPerson(app, world.other.company.id, 'rep', 'Sam Shared', 'sam@example.com')
    await addPerson(app, world.dealer.company.id, 'manager', 'Sam Shared', 'sam@example.com')
    const other = await signedIn(app, await addPerson(app, world.other.company.id, 'admin'))
    await recordAccount(
      app.database.db,
      new Date(),
      await memberships(shared),
      { address: '198.51.100.7', device: null },
      { type: 'security.password_changed' },
    )
    for (const client of [owner, dealersOwner, other]) {
      const [entry] = await newest(client, 'security.password_changed')
      assert.equal(entry?.address, '198.51.100.7')
    }
    const ofDealer = await trail(dealersOwner)
    assert.ok(ofDealer.every(({ companyId }) => companyId === world.dealer.company.id))
    assert.ok(!(await trail(other)).some(({ name }) => name === 'Olga Owner'))
  })

  test('where the installer’s people sit is not for its dealers', async () => {
    await owner.call('POST', '/keys', { body: { name: 'For Dora', company: world.dealer.company.id } })
    const [seen] = await newest(dealersOwner, 'key.created')
    assert.deepEqual([seen?.name, seen?.actor.name, seen?.address], ['For Dora', 'Olga Owner', null])
    await dealersOwner.call('POST', '/keys', { body: { name: 'By Dora' } })
    const [own] = await newest(dealersOwner, 'key.created')
    assert.deepEqual([own?.name, own?.address], ['By Dora', '127.0.0.1'])
  })

  test('moves no clock and is told to no webhook and no open page', async () => {
    const state = () =>
      app.database.rows(
        `select (select now from tenant_clocks where installer_id = $1) as now, (select count(*) from events) as events,
          (select count(*) from graphile_worker.jobs) as jobs`,
        [world.installer.company.id],
      )
    const before = await state()
    await recordAccount(
      app.database.db,
      new Date(),
      await memberships(olga),
      { address: null, device: null },
      { type: 'security.signed_in' },
    )
    assert.equal((await newest(owner, 'security.signed_in')).length > 0, true)
    assert.deepEqual(await state(), before)
  })

  test('the database itself lets nobody change it, but counts on', async () => {
    for (const statement of [
      'update security_events set actor_name = $1',
      'update security_events set times = times + 2 where type <> $1',
      'update security_events set times = times + 1, address = $1',
      'delete from security_events where type <> $1',
    ])
      await assert.rejects(app.database.rows(statement, ['x']), /only added to/)
    await assert.rejects(app.database.rows('truncate security_events', []), /only added to/)
  })

  test('each filter has its index', async () => {
    const { installerId } = world.installer.company
    for (const [index, condition] of [
      [/security_events_pkey/, 'true'],
      [/security_events_by_record/, `coalesce(lead_id, subject_id) = 'x'`],
      [/security_events_by_actor/, `actor_id is not null and actor_id = 'x'`],
      [/security_events_of_dealers/, `company_id <> installer_id and company_id = 'x'`],
    ] as const) {
      const plan = await app.database.rows(
        `explain select * from security_events where installer_id = '${installerId}' and ${condition}
          order by at desc, ordinal desc limit 50`,
        [],
      )
      assert.match(JSON.stringify(plan), index)
    }
  })
})
