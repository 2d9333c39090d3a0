import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { updateCompany } from '../../src/domain/tenants/companies/update-company.ts'
import { updateMember } from '../../src/domain/tenants/members/update-member.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

const today = Temporal.Now.plainDateISO('America/Denver')
const inDays = (days: number) => today.add({ days }).toString()

let app: App
let world: World
let owner: Client
let rep: Client
let repPerson: Person
let surveyor: Client
let dealerOwner: Client
let stranger: Client
/** Of the installer with the rep, of the installer, of the dealer. */
let mine: string
let ours: string
let dealers: string

before(async () => {
  app = await startApp()
  world = await createWorld(app.server.deps.db)
  const { installer, dealer, other } = world
  const enter = async (company: string, role: Parameters<typeof addPerson>[2]) => {
    const person = await addPerson(app, company, role)
    return { person, client: await signedIn(app, person) }
  }
  owner = (await enter(installer.company.id, 'owner')).client
  const aRep = await enter(installer.company.id, 'rep')
  rep = aRep.client
  repPerson = aRep.person
  const aSurveyor = await enter(installer.company.id, 'surveyor')
  surveyor = aSurveyor.client
  dealerOwner = (await enter(dealer.company.id, 'owner')).client
  stranger = (await enter(other.company.id, 'owner')).client
  mine = (
    await project(
      installer,
      { firstName: 'Zoë', lastName: 'Ångström, Jr; the "First"', salesRepEmail: repPerson.email },
      { siteSurveyorId: aSurveyor.person.id },
    )
  ).projectId
  ours = (await project(installer, { productLine: 'hi' })).projectId
  dealers = (await project(dealer)).projectId
  const set = async (id: string, body: object) =>
    assert.equal((await owner.call('PATCH', `/projects/${id}`, { body })).status, 200)
  await set(mine, { installDate: inDays(10), surveyDate: inDays(-5) })
  await set(ours, { installDate: inDays(3) })
  await set(dealers, { installDate: inDays(10) })
})

const span = `from=${inDays(-30)}&to=${inDays(60)}`
const idsIn = (body: { entries: { projectId: string; kind: string }[] }) =>
  body.entries.map(({ projectId, kind }) => `${kind} ${projectId}`)

describe('the calendar', () => {
  test('holds surveys and installs in the order of their days, with who and where', async () => {
    const { status, body } = await owner.get(`/calendar?${span}`)
    assert.equal(status, 200)
    assert.equal(body.complete, true)
    assert.deepEqual(idsIn(body), [
      `survey ${mine}`,
      `install ${ours}`,
      ...[`install ${mine}`, `install ${dealers}`].sort(),
    ])
    const { people, ...survey } = body.entries[0]
    assert.deepEqual(survey, {
      projectId: mine,
      kind: 'survey',
      day: inDays(-5),
      productLine: 'solar',
      customer: 'Zoë Ångström, Jr; the "First"',
      city: 'San Diego',
      stage: 'Sold',
    })
    assert.deepEqual(people, [
      { role: 'salesRep', name: 'The rep' },
      { role: 'siteSurveyor', name: 'The surveyor' },
    ])
  })

  test('shows one kind, and only the days asked for', async () => {
    assert.deepEqual(idsIn((await owner.get(`/calendar?${span}&kind=survey`)).body), [`survey ${mine}`])
    const day = inDays(3)
    assert.deepEqual(idsIn((await owner.get(`/calendar?from=${day}&to=${day}`)).body), [`install ${ours}`])
  })

  test('everybody sees what they see elsewhere, and no more', async () => {
    const seen = async (client: Client) => idsIn((await client.get(`/calendar?${span}`)).body)
    assert.deepEqual(await seen(rep), [`survey ${mine}`, `install ${mine}`])
    assert.deepEqual(await seen(surveyor), [`survey ${mine}`, `install ${mine}`])
    assert.deepEqual(await seen(dealerOwner), [`install ${dealers}`])
    assert.deepEqual(await seen(stranger), [])
  })

  test('a moved day moves here, and in what the API reads', async () => {
    const body = { installDate: inDays(4) }
    assert.equal((await owner.call('PATCH', `/projects/${ours}`, { body })).status, 200)
    const day = inDays(4)
    assert.deepEqual(idsIn((await owner.get(`/calendar?from=${day}&to=${day}`)).body), [`install ${ours}`])
    const read = await app.get(`/v1/projects/${ours}`, world.installer.key)
    assert.equal(read.body.milestones.installScheduled, day)
    assert.equal((await rep.call('PATCH', `/projects/${mine}`, { body })).status, 403)
    assert.equal((await stranger.call('PATCH', `/projects/${ours}`, { body })).status, 404)
  })

  test('bad spans are refused with what to change', async () => {
    const cases: [string, RegExp][] = [
      ['', /Start date is required/],
      ['from=2026-01-01&to=2025-12-31', /last day must not be before the first/],
      ['from=2026-01-01&to=2026-04-11', /at most 100 days/],
      ['from=2026-02-30&to=2026-03-01', /Start date/],
      [`${span}&kind=party`, /Kind/],
      [`${span}&kin=survey`, /out of date/],
    ]
    for (const [query, message] of cases) {
      const answer = await owner.get(`/calendar?${query}`)
      assert.equal(answer.status, 400, query)
      assert.match(answer.body.error.message, message)
    }
    assert.equal((await owner.get('/calendar?from=2026-01-01&to=2026-04-10')).status, 200)
    assert.equal((await app.send('GET', `/console/api/calendar?${span}`)).status, 401)
  })
})

/** The content lines of a calendar, unfolded. */
function linesOf(text: string): string[] {
  assert.ok(text.endsWith('\r\n'))
  assert.doesNotMatch(text.replaceAll('\r\n', ''), /[\r\n]/)
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  return text.replaceAll('\r\n ', '').trimEnd().split('\r\n')
}

function eventsOf(text: string): Map<string, string>[] {
  const lines = linesOf(text)
  assert.equal(lines[0], 'BEGIN:VCALENDAR')
  assert.equal(lines.at(-1), 'END:VCALENDAR')
  return lines
    .join('\n')
    .split('BEGIN:VEVENT\n')
    .slice(1)
    .map(
      (event) =>
        new Map(
          event
            .split('\nEND:VEVENT')[0]!
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
        ),
    )
}

describe('a subscribed calendar', () => {
  const addressOf = async (client: Client) => {
    const { status, body } = await client.call('POST', '/calendar/feed')
    assert.equal(status, 201)
    return new URL(body.address).pathname
  }

  test('is made, read, renewed and removed; only a hash is kept', async () => {
    assert.deepEqual((await rep.get('/calendar/feed')).body, { since: null })
    const first = await addressOf(rep)
    assert.ok((await rep.get('/calendar/feed')).body.since)
    assert.equal((await app.send('GET', first)).status, 200)
    const second = await addressOf(rep)
    assert.equal((await app.send('GET', first)).status, 404)
    assert.equal((await app.send('GET', second)).status, 200)
    const token = second.split('/').at(-1)!.replace('.ics', '')
    const [row] = await app.database.rows<{ kept: string }>(
      'select f::text as kept from calendar_feeds f where member_id = $1',
      [repPerson.id],
    )
    assert.ok(!row!.kept.includes(token))
    assert.equal((await rep.call('DELETE', '/calendar/feed')).status, 200)
    assert.equal((await app.send('GET', second)).status, 404)
    assert.deepEqual((await rep.get('/calendar/feed')).body, { since: null })
  })

  test('is valid, says what its owner sees, and stays the same while nothing changes', async () => {
    const address = await addressOf(rep)
    const { status, headers, text } = await app.send('GET', address)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/calendar; charset=utf-8')
    assert.doesNotMatch(text, /METHOD/)
    const events = eventsOf(text)
    assert.equal(events.length, 2)
    const survey = events.find((event) => event.get('UID')!.startsWith('survey-'))!
    assert.equal(survey.get('UID'), `survey-${mine}@127.0.0.1`)
    assert.equal(survey.get('DTSTART;VALUE=DATE'), inDays(-5).replaceAll('-', ''))
    assert.equal(survey.get('DTEND;VALUE=DATE'), inDays(-4).replaceAll('-', ''))
    assert.match(survey.get('DTSTAMP')!, /^\d{8}T\d{6}Z$/)
    assert.equal(survey.get('SUMMARY'), 'Site survey: Zoë Ångström\\, Jr\\; the "First"')
    assert.equal(survey.get('LOCATION'), '1 Market St\\, San Diego\\, CA 92101')

    const again = await app.send('GET', address, { headers: { 'if-none-match': headers['etag']! } })
    assert.equal(again.status, 304)
    assert.equal(again.text, '')
    await owner.call('PATCH', `/projects/${mine}`, { body: { installDate: inDays(11) } })
    const moved = await app.send('GET', address, { headers: { 'if-none-match': headers['etag']! } })
    assert.equal(moved.status, 200)
    const install = eventsOf(moved.text).find((event) => event.get('UID')!.startsWith('install-'))!
    assert.equal(install.get('DTSTART;VALUE=DATE'), inDays(11).replaceAll('-', ''))
    assert.equal(eventsOf((await app.send('GET', await addressOf(stranger))).text).length, 0)
  })

  test('an address that is nobody’s answers like any other', async () => {
    for (const name of ['x.ics', 'psk_something', `${'A'.repeat(27)}.ics`, '%00.ics', `${'A'.repeat(27)}`]) {
      assert.equal((await app.send('GET', `/calendar/${name}`)).status, 404, name)
    }
  })

  test('a deactivated member’s and a suspended company’s answer as unknown', async () => {
    const { db } = app.server.deps
    const { dealer, installer } = world
    const address = await addressOf(rep)
    await updateMember(db, new Date(), installer.company.id, repPerson.id, { active: false })
    assert.equal((await app.send('GET', address)).status, 404)
    await updateMember(db, new Date(), installer.company.id, repPerson.id, { active: true })
    assert.equal((await app.send('GET', address)).status, 404, 'it does not come back with them')
    assert.equal((await app.send('GET', await addressOf(rep))).status, 200)

    const dealersAddress = await addressOf(dealerOwner)
    assert.equal((await app.send('GET', dealersAddress)).status, 200)
    await updateCompany(db, new Date(), installer.company.id, { status: 'suspended' })
    assert.equal((await app.send('GET', dealersAddress)).status, 404)
    assert.equal((await dealerOwner.get('/session')).status, 403)
    await updateCompany(db, new Date(), installer.company.id, { status: 'active' })
    assert.equal((await app.send('GET', dealersAddress)).status, 200)
    await updateCompany(db, new Date(), dealer.company.id, { status: 'suspended' })
    assert.equal((await app.send('GET', dealersAddress)).status, 404)
  })
})
