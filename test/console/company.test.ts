import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { type App, startApp } from '../support/app.ts'
import { createWorld, leadBody, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let world: World
let owner: Client
let dealersOwner: Client
let own: string
let dealer: string

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  own = world.installer.company.id
  dealer = world.dealer.company.id
  owner = await signedIn(app, await addPerson(app, own, 'owner', 'Olga Owner'))
  dealersOwner = await signedIn(app, await addPerson(app, dealer, 'owner', 'Dora Owner'))
})

const change = (client: Client, id: string, body: object) =>
  client.call('PATCH', `/companies/${id}`, { body })
const sendLogo = (client: Client, id: string, raw: Buffer) =>
  app.send('PUT', `/console/api/companies/${id}/logo`, {
    raw,
    headers: { cookie: client.cookie, 'x-sunstead-console': '1' },
  })
const eventsOf = (id: string) =>
  app.database.rows<{ type: string; changes: object; actor_name: string }>(
    `select type, changes, actor_name from events where subject_id = $1 and type like 'company.%' order by at`,
    [id],
  )

describe('a company', () => {
  test('is renamed, which shows in its projects, and moved to another time zone and country', async () => {
    const { projectId } = await project(world.dealer)
    assert.equal((await change(owner, dealer, { name: ' Brighter Doors ' })).status, 200)
    const { company } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    assert.equal(company.name, 'Brighter Doors')
    assert.equal(
      (await change(dealersOwner, dealer, { timezone: 'Europe/Berlin', country: 'DE' })).status,
      200,
    )
    const shown = (await dealersOwner.get(`/companies/${dealer}`)).body
    assert.deepEqual(
      [shown.name, shown.timezone, shown.country, shown.status, shown.logo],
      ['Brighter Doors', 'Europe/Berlin', 'DE', 'active', null],
    )
    const noted = (await eventsOf(dealer)).filter(({ type }) => type === 'company.changed')
    assert.deepEqual(
      noted.map(({ changes, actor_name }) => [changes, actor_name]),
      [
        [{ name: ['Bright Doors', 'Brighter Doors'] }, 'Olga Owner'],
        [{ timezone: ['America/Denver', 'Europe/Berlin'], country: ['US', 'DE'] }, 'Dora Owner'],
      ],
    )
    const { country, ...address } = { country: undefined, ...leadBody.address }
    const made = (await dealersOwner.call('POST', '/leads', { body: { ...leadBody, address } })).body
    const lead = (await app.get(`/v1/leads/${made.leadId}`, world.dealer.key)).body
    assert.equal(lead.address.country, 'DE', 'its customers live there unless it is said otherwise')
  })

  test('what says nothing new is not noted', async () => {
    const count = (await eventsOf(dealer)).length
    assert.equal((await change(owner, dealer, { name: 'Brighter Doors' })).status, 200)
    assert.equal((await eventsOf(dealer)).length, count)
  })

  test('bad input is refused with what to change', async () => {
    const cases: [object, RegExp][] = [
      [{ name: ' ' }, /Name/],
      [{ name: 'x'.repeat(201) }, /Name/],
      [{ timezone: 'Mars/Phobos' }, /There is no time zone Mars\/Phobos/],
      [{ country: 'QQ' }, /There is no country QQ/],
      [{ country: 'usa' }, /Country/],
      [{ status: 'suspended' }, /out of date/],
      [{}, /./],
      [{ name: 'A\u0000B' }, /./],
    ]
    for (const [body, message] of cases) {
      const answer = await change(owner, own, body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.match(answer.body.error.message, message)
    }
  })

  test('has a logo on its proposals, made small and safe', async () => {
    const { projectId } = await project(world.installer)
    const { links } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    const proposal = new URL(links.proposal).pathname
    const page = () => app.send('GET', proposal, { headers: { accept: 'text/html' } })
    assert.doesNotMatch((await page()).text, /<img/)
    const picture = await sharp({ create: { width: 2000, height: 800, channels: 4, background: '#0a7' } })
      .webp()
      .toBuffer()
    assert.equal((await sendLogo(owner, own, picture)).status, 200)
    const { logo } = (await owner.get(`/companies/${own}`)).body
    assert.match(logo, /^data:image\/png;base64,/)
    const shown = await page()
    const address = /<img class="logo" src="([^"]+)" alt="Sunrise Solar">/.exec(shown.text)![1]!
    assert.match(shown.headers['content-security-policy']!, /img-src 'self'/)
    const sign = await app.send('GET', new URL(address, links.proposal).pathname)
    assert.equal(sign.headers['content-type'], 'image/png')
    const { width, height, hasAlpha } = await sharp(Buffer.from(sign.bytes)).metadata()
    assert.deepEqual([width, height, hasAlpha], [600, 240, false])

    assert.equal((await owner.call('DELETE', `/companies/${own}/logo`)).status, 200)
    assert.doesNotMatch((await page()).text, /<img/)
    assert.equal((await app.send('GET', `${proposal}/logo`)).status, 404)
    assert.equal((await app.send('GET', '/proposals/none/logo')).status, 404)
  })

  test('takes no logo that is no picture, or too large', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    const torn = (
      await sharp({ create: { width: 90, height: 90, channels: 3, background: '#fff' } })
        .png()
        .toBuffer()
    ).subarray(0, 60)
    for (const raw of [svg, gif, torn, Buffer.from('no picture'), Buffer.alloc(0)]) {
      const answer = await sendLogo(owner, own, raw)
      assert.equal(answer.status, 400)
      assert.match(answer.body.error.message, /PNG, JPEG or WebP/)
    }
    const large = await sendLogo(owner, own, Buffer.alloc(5_000_000, 1))
    assert.deepEqual([large.status, /2 MB/.test(large.body.error.message)], [400, true])
  })
})

describe('dealers', () => {
  test('are added with the installer’s time zone or their own, and listed by number', async () => {
    assert.equal((await owner.call('POST', '/dealers', { body: { name: 'New Doors' } })).status, 201)
    const zoned = { name: 'East Doors', timezone: 'America/New_York' }
    const { id } = (await owner.call('POST', '/dealers', { body: zoned })).body
    const first = (await owner.get('/dealers?limit=2')).body
    const rest = (await owner.get(`/dealers?after=${first.next}`)).body
    const names = [...first.dealers, ...rest.dealers].map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['Brighter Doors', 'Sister Sales', 'New Doors', 'East Doors'])
    assert.equal(rest.dealers.at(-2).timezone, 'America/Denver')
    assert.deepEqual(first.dealers[0].people, 1)
    assert.deepEqual((await eventsOf(id))[0]!.actor_name, 'Olga Owner')
    for (const body of [{ name: '' }, { name: 'X', timezone: 'None/Such' }, {}])
      assert.equal((await owner.call('POST', '/dealers', { body })).status, 400)
    assert.equal((await dealersOwner.get('/dealers')).status, 403)
    assert.equal((await owner.get('/dealers?after=-1')).status, 400)
  })

  test('suspended: their keys answer 401 and their people have no access; resumed: all is as before', async () => {
    const { key } = world.dealer
    assert.equal((await app.get('/v1/me', key)).status, 200)
    assert.equal((await owner.call('POST', `/companies/${dealer}/suspend`)).status, 200)
    await until(async () => (await app.get('/v1/me', key)).status === 401)
    const refused = await dealersOwner.get('/session')
    assert.equal(refused.status, 403)
    assert.match(refused.body.error.message, /suspended/)
    assert.equal((await owner.get('/dealers')).body.dealers[0].status, 'suspended')
    assert.equal((await owner.call('POST', `/companies/${dealer}/resume`)).status, 200)
    await until(async () => (await app.get('/v1/me', key)).status === 200)
    assert.equal((await dealersOwner.get('/session')).status, 200)
    const moves = (await eventsOf(dealer)).slice(-2)
    assert.deepEqual(
      moves.map(({ type, changes }) => [type, changes]),
      [
        ['company.suspended', { status: ['active', 'suspended'] }],
        ['company.resumed', { status: ['suspended', 'active'] }],
      ],
    )
  })

  test('nobody suspends an installer, nor a company that is not theirs', async () => {
    const own400 = await owner.call('POST', `/companies/${own}/suspend`)
    assert.equal(own400.status, 400)
    assert.equal((await dealersOwner.call('POST', `/companies/${dealer}/suspend`)).status, 403)
    for (const id of [world.other.company.id, world.otherDealer.company.id, 'comp_none000000', '%00'])
      assert.equal((await owner.call('POST', `/companies/${id}/suspend`)).status, 404, id)
    for (const id of [own, world.sister.company.id])
      for (const body of [{ name: 'Mine' }]) assert.equal((await change(dealersOwner, id, body)).status, 404)
  })
})

/** Another process may believe for half a second what it knew. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await holds())) assert.ok(Date.now() < end, 'it did not come to hold')
}
