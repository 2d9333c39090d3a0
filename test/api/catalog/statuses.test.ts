import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { installation, installationBody, panel, panelBody } from '../../support/panels.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other, otherDealer } = world
const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
const elsewhere = (await keyFor(world, installer, { interfaces: ['company', 'legacy'] })).secret
const catalogOnly = (await keyFor(world, installer, { interfaces: ['catalog'] })).secret
const unknownKey = 'psk_0000000000000000000000000000000000000000'

const sites = {
  installer: await installation(app, installer),
  dealer: await installation(app, dealer),
  sister: await installation(app, sister),
  other: await installation(app, other),
}
const panels = {
  installer: await panel(app, installer, sites.installer),
  dealer: await panel(app, dealer, sites.dealer),
  sister: await panel(app, sister, sites.sister),
  other: await panel(app, other, sites.other),
}
const deleted = await panel(app, installer, sites.installer)
await app.call('DELETE', `/catalog/v1/panels/${deleted}`, { key: installer.key })

type Body = Record<string, unknown>
interface Operation {
  method: string
  path: string
  /** Whose id stands in the path. */
  names?: 'panel' | 'installation'
  /** A good body for what a company has. */
  body?: (site: string) => Body
  required?: string[]
  wrong?: Record<string, unknown[]>
  status: number
}

const noText = [7, true, null, {}, ['x'], '', '   ', 'a\0b']
const noNumber = ['0.4', true, null, {}, [1], 0, -1, 0.00009, 1_000_000.0001, 1e300]
const noObject = ['x', 7, true, null, [], [{}]]
const wrongPages = [`page=0`, 'page=-1', 'page=1.5', 'page=one', 'page=', 'page=1&page=2', 'page=1000000000']
const wrongSizes = ['per_page=0', 'per_page=101', 'per_page=ten', 'per_page=', 'perPage=5']

const operations: Operation[] = [
  { method: 'GET', path: '/panels', status: 200 },
  {
    method: 'POST',
    path: '/panels',
    status: 201,
    body: panelBody,
    required: ['name', 'capacity_kw', 'installation_id'],
    wrong: {
      name: [...noText, 'x'.repeat(201)],
      capacity_kw: noNumber,
      installation_id: noText,
      metadata: noObject,
    },
  },
  { method: 'GET', path: '/panels/{id}', names: 'panel', status: 200 },
  {
    method: 'PATCH',
    path: '/panels/{id}',
    names: 'panel',
    status: 200,
    body: () => ({ name: 'Renamed', status: 'inactive', metadata: { a: 1 } }),
    wrong: {
      name: [...noText, 'x'.repeat(201)],
      status: ['broken', 'Active', '', 7, null, ['active']],
      metadata: noObject,
    },
  },
  { method: 'DELETE', path: '/panels/{id}', names: 'panel', status: 204 },
  { method: 'GET', path: '/installations', status: 200 },
  {
    method: 'POST',
    path: '/installations',
    status: 201,
    body: () => installationBody,
    required: ['name', 'address', 'region'],
    wrong: {
      name: [...noText, 'x'.repeat(201)],
      address: [...noText, 'x'.repeat(501)],
      region: [...noText, 'x'.repeat(17)],
      capacity_kw: noNumber,
      timezone: [...noText, 'Nowhere/Land', '+05:30', 'x'.repeat(101), '2026-01-01T00:00Z', '../etc'],
    },
  },
  { method: 'GET', path: '/installations/{id}', names: 'installation', status: 200 },
  { method: 'DELETE', path: '/installations/{id}', names: 'installation', status: 204 },
]

const send = (operation: Operation, id: string, key: string | undefined, body?: unknown, query = '') =>
  app.call(operation.method, `/catalog/v1${operation.path.replace('{id}', id)}${query}`, {
    ...(key === undefined ? {} : { key }),
    ...(body === undefined ? {} : { body }),
  })

function refused(answer: Answer, status: number, field?: string): void {
  assert.equal(answer.status, status, answer.text)
  if (field) assert.match(answer.body.error.message, new RegExp(`(^|; )${field}\\b`), answer.text)
}

type Place = keyof typeof sites

for (const operation of operations) {
  const { method, path, names, body, required = [], wrong = {}, status } = operation
  const name = `${method} ${path}`
  const writes = method !== 'GET'
  const ids = names === 'panel' ? panels : sites
  const bodyOf = (place: Place) => body?.(sites[place])
  /** A record of this place that may be used up. */
  const own = async (place: Place, as: { key: string }) =>
    method !== 'DELETE'
      ? ids[place]
      : names === 'panel'
        ? panel(app, as, sites[place])
        : installation(app, as)

  test(`${name}: is answered ${status}, to the dealer about its own too`, async () => {
    const mine = await own('installer', installer)
    assert.equal((await send(operation, mine, installer.key, bodyOf('installer'))).status, status)
    const theirs = await own('dealer', dealer)
    assert.equal((await send(operation, theirs, dealer.key, bodyOf('dealer'))).status, status)
    const again = await own('dealer', dealer)
    assert.equal((await send(operation, again, installer.key, bodyOf('dealer'))).status, status)
    const more = await own('installer', installer)
    assert.equal((await send(operation, more, catalogOnly, bodyOf('installer'))).status, status)
  })

  test(`${name}: without a good key it is 401`, async () => {
    for (const key of [undefined, unknownKey]) {
      for (const id of [ids.installer, 'nonsense']) {
        refused(await send(operation, id, key, body && {}, '?x=1'), 401)
      }
    }
  })

  test(`${name}: a key for other interfaces is 403, one that may only read ${writes ? 403 : 200}`, async () => {
    const id = await own('installer', installer)
    refused(await send(operation, id, elsewhere, bodyOf('installer')), 403)
    const answer = await send(operation, id, readOnly, bodyOf('installer'))
    if (writes) refused(answer, 403)
    else assert.equal(answer.status, 200)
    if (method === 'PATCH') refused(await send(operation, id, readOnly, {}), 403)
  })

  test(`${name}: an unknown query field is 400 naming it`, async () => {
    refused(
      await send(operation, ids.installer, installer.key, bodyOf('installer'), '?colour=red'),
      400,
      'colour',
    )
    refused(await send(operation, 'pnl_unknown0000', installer.key, bodyOf('installer'), '?colour=red'), 400)
  })

  if (names) {
    test(`${name}: unknown, foreign, deleted and malformed ids are the one 404`, async () => {
      const expected = (
        await send(
          operation,
          `${names === 'panel' ? 'pnl' : 'inst'}_00000000000000000000000000`,
          installer.key,
          bodyOf('installer'),
        )
      ).text
      const strangers = [
        'nonsense',
        '%00',
        '%F0%9F%8C%9E',
        "x'%20or%201=1--",
        'pnl_',
        'inst_',
        '..%2f',
        'null',
        '*',
        'x'.repeat(3000),
      ]
      const wrongKind = [
        names === 'panel' ? sites.installer : panels.installer,
        ids.installer.toUpperCase(),
        `${ids.installer}0`,
        ids.installer.slice(0, -1),
      ]
      for (const id of [...strangers, ...wrongKind, deleted, ids.other]) {
        const answer = await send(operation, id, installer.key, bodyOf('installer'))
        refused(answer, 404)
        assert.equal(answer.text, expected, id)
      }
      for (const [key, places] of [
        [dealer.key, ['installer', 'sister', 'other']],
        [other.key, ['installer', 'dealer', 'sister']],
        [otherDealer.key, ['installer', 'dealer', 'sister', 'other']],
      ] as const) {
        for (const place of places) {
          const answer = await send(operation, ids[place], key, bodyOf('installer'))
          refused(answer, 404)
          assert.equal(answer.text, expected)
        }
      }
      // The record before who may: a key that may only read is not told 403 of what is not there.
      refused(await send(operation, ids.other, readOnly, bodyOf('installer')), 404)
    })
  }

  if (body) {
    test(`${name}: what is missing is named, all of it`, async () => {
      const answer = await send(operation, ids.installer, installer.key, {})
      if (required.length === 0) assert.equal(answer.status, 200)
      for (const field of required) refused(answer, 400, field)
      for (const field of required) {
        const { [field]: _, ...rest } = body(sites.installer)
        refused(await send(operation, ids.installer, installer.key, rest), 400, field)
      }
      refused(await send(operation, ids.installer, installer.key), 400)
    })

    test(`${name}: a wrong value is 400 naming its field, before the record is looked for`, async () => {
      for (const [field, values] of Object.entries(wrong)) {
        for (const value of values) {
          const sent = { ...body(sites.installer), [field]: value }
          refused(await send(operation, ids.installer, installer.key, sent), 400, field)
          refused(await send(operation, ids.other, readOnly, sent), 400, field)
        }
      }
    })

    test(`${name}: unknown fields are 400 naming them, and so is what is no JSON object`, async () => {
      for (const field of ['colour', 'id', 'daily_output_kwh', 'created_at', 'constructor', 'panel_count']) {
        const sent = { ...body(sites.installer), [field]: 1 }
        refused(await send(operation, ids.installer, installer.key, sent), 400, field)
      }
      const address = `/catalog/v1${path.replace('{id}', ids.installer)}`
      const headers = { 'content-type': 'application/json' }
      for (const raw of ['{', '[]', '7', 'null', '"x"', '{"__proto__": {"name": "x"}}', Buffer.from([0xff])])
        refused(await app.call(method, address, { key: installer.key, raw, headers }), 400)
      const text = { key: installer.key, raw: '{}', headers: { 'content-type': 'text/plain' } }
      refused(await app.call(method, address, text), 400)
      const large = { key: installer.key, raw: Buffer.alloc(1_100_000, 32), headers }
      refused(await app.call(method, address, large), 400)
    })
  }

  if (method === 'GET' && !names) {
    test(`${name}: a wrong page, size or filter is 400`, async () => {
      const filters =
        path === '/panels'
          ? ['status=broken', 'status=', 'status=Active', 'status=active&status=inactive', 'region=US-CA']
          : ['region=', `region=${'x'.repeat(17)}`, 'region=a&region=b', 'status=active']
      for (const query of [...wrongPages, ...wrongSizes, ...filters])
        refused(await send(operation, '', installer.key, undefined, `?${query}`), 400)
    })
  }
}

test('an installation that is not the caller’s is 400 naming installation_id', async () => {
  const create = (key: string, id: string) =>
    app.call('POST', '/catalog/v1/panels', { key, body: panelBody(id) })
  const unknown = 'inst_00000000000000000000000000'
  for (const id of [
    unknown,
    sites.other,
    panels.installer,
    'nonsense',
    "' or 1=1",
    sites.installer.toUpperCase(),
  ])
    refused(await create(installer.key, id), 400, 'installation_id')
  for (const id of [sites.installer, sites.sister, sites.other])
    refused(await create(dealer.key, id), 400, 'installation_id')
  for (const id of [sites.installer, sites.dealer])
    refused(await create(other.key, id), 400, 'installation_id')
  refused(await create(readOnly, unknown), 400, 'installation_id')
})

test('what is refused writes nothing', async () => {
  const { rows } = app.database
  const state = () =>
    rows(`select (select count(*) from panels) as panels, (select count(*) from installations) as installations,
      (select count(*) from events) as events, (select sum(panels) from panel_counts) as counted,
      (select string_agg(now::text, ' ' order by installer_id) from tenant_clocks) as clocks`)
  const before = await state()
  for (const [method, path, key, body] of [
    ['POST', '/panels', readOnly, panelBody(sites.installer)],
    ['POST', '/panels', dealer.key, panelBody(sites.installer)],
    ['POST', '/panels', installer.key, panelBody(sites.installer, { metadata: { a: 'x'.repeat(20_000) } })],
    ['PATCH', `/panels/${panels.installer}`, readOnly, { name: 'No' }],
    ['PATCH', `/panels/${panels.installer}`, dealer.key, { name: 'No' }],
    ['DELETE', `/panels/${panels.installer}`, readOnly, undefined],
    ['DELETE', `/panels/${panels.installer}`, other.key, undefined],
    ['DELETE', `/panels/${deleted}`, installer.key, undefined],
    ['POST', '/installations', readOnly, installationBody],
    ['POST', '/installations', installer.key, { ...installationBody, timezone: 'Mars/Base' }],
  ] as const) {
    const answer = await app.call(method, `/catalog/v1${path}`, { key, ...(body ? { body } : {}) })
    assert.ok(answer.status >= 400, answer.text)
  }
  assert.deepEqual(await state(), before)
})

test('a call without a body may say that it is JSON', async () => {
  const headers = { 'content-type': 'application/json' }
  const id = await panel(app, installer, sites.installer)
  for (const [method, status] of [
    ['GET', 200],
    ['DELETE', 204],
    ['DELETE', 404],
  ] as const) {
    const answer = await app.call(method, `/catalog/v1/panels/${id}`, { key: installer.key, headers })
    assert.equal(answer.status, status)
  }
})

test('addresses and methods that are not there are 404 with a key and 401 without', async () => {
  for (const [method, path] of [
    ['GET', '/catalog/v1/nothing'],
    ['GET', '/catalog/v1/panels/'],
    ['GET', `/catalog/v1/panels/${panels.installer}/x`],
    ['PUT', `/catalog/v1/panels/${panels.installer}`],
    ['POST', `/catalog/v1/panels/${panels.installer}`],
    ['POST', `/catalog/v1/installations/${sites.installer}`],
    ['PUT', `/catalog/v1/installations/${sites.installer}`],
  ] as const) {
    assert.equal((await app.call(method, path, { key: installer.key })).status, 404, `${method} ${path}`)
    assert.equal((await app.call(method, path)).status, 401, `${method} ${path}`)
  }
})
