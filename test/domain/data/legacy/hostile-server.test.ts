import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { CallFailed, CallUnavailable } from '../../../../src/platform/outbound/get-json.ts'
import { legacyLead, startLegacySource } from '../../../support/legacy-source.ts'
import { key, none, solarLeads, solarProjects, startMoving } from '../../../support/moving.ts'

const { database, moving } = await startMoving()

test('pages that repeat, count from 0, never say their end or lie about counts are walked once', async () => {
  const ids = Array.from({ length: 25 }, (_, i) => `REPEAT${String(i).padStart(4, '0')}`)
  const pages = [ids.slice(0, 10), ids.slice(10, 20), ids.slice(15)]
  const { pull, leads, source } = await moving((operation, query) => {
    if (operation !== solarLeads) return { results: [], total: 1_000_000 }
    // Past the end it gives its last page for ever.
    const page = pages[Math.min(Number(query.get('page')), pages.length - 1)]!
    return { response: { results: page.map((id) => legacyLead(id)), remaining: 99_999, count: -1 } }
  })
  const { report } = await pull()
  assert.equal((await leads()).length, 25)
  assert.deepEqual(report.records['lead solar'], { made: 25, updated: 0, unchanged: 0, refused: 0 })
  assert.ok(source.asked.filter((asked) => asked.startsWith(solarLeads)).length < 10)
})

test('lists that hold ids only are read record by record; one that answers another, nothing or 500 is refused', async () => {
  const { pull, leads } = await moving((operation, query, response) => {
    const id = query.get('id')
    if (operation === solarLeads)
      return query.get('page') === '1'
        ? [
            { _id: 'ONE0000001' },
            'ONE0000002',
            { lead_id: 'ONE0000003' },
            { id: 'ONE0000004' },
            { id: 'ONE0000005' },
          ]
        : []
    if (operation !== 'fetch_lead') return none
    if (id === 'ONE0000003') return legacyLead('ANOTHER001')
    if (id === 'ONE0000004') return {}
    if (id === 'ONE0000005') return void response.writeHead(500).end('no')
    return { data: legacyLead(id!), id }
  })
  const { report } = await pull()
  assert.deepEqual(
    (await leads()).map(({ reference }) => reference),
    ['ONE0000001', 'ONE0000002'],
  )
  assert.deepEqual(report.problems.map(({ example, message }) => `${example} ${message}`).sort(), [
    'ONE0000003 the lead did not come: fetch_lead answered another record',
    'ONE0000004 the lead did not come: fetch_lead answered no record',
    'ONE0000005 the lead did not come: fetch_lead answered 500',
  ])
})

test('429, 503, HTML, cut and silent connections are tried again, after Retry-After', async () => {
  const troubles: ((response: ServerResponse) => unknown)[] = [
    (response) => response.writeHead(429, { 'retry-after': '1' }).end('{}'),
    (response) => response.writeHead(503).end('<html>'),
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>'),
    (response) => response.destroy(),
    (response) => response.writeHead(200, { 'content-length': '1000' }).write('{"data":'),
    (response) => {
      response.writeHead(200)
      response.write('{"data":[')
      setTimeout(() => response.destroy(), 50)
    },
  ]
  const begun = performance.now()
  const { pull, leads } = await moving(
    (operation, query, response) => {
      if (operation === solarLeads && query.get('page') === '1') {
        const trouble = troubles.shift()
        if (trouble) return void trouble(response)
        return { data: [legacyLead('TRIED00001')] }
      }
      return none
    },
    { attempts: 20 },
  )
  await pull()
  assert.equal((await leads()).length, 1)
  assert.ok(performance.now() - begun > 1_000)
})

test('a server that drips, is too large, or is down ends the run; the next goes on', async () => {
  let mode = 'drip'
  const { pull, leads, source } = await moving((operation, query, response) => {
    if (operation === solarLeads)
      return query.get('page') === '1' ? { data: [legacyLead('FIRST00001')] } : none
    if (operation !== 'fetch_all_lead_hi_installer' || mode === 'well') return none
    if (mode === 'down') return void response.destroy()
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
    return undefined
  })
  await assert.rejects(
    pull(),
    (error) => error instanceof CallUnavailable && /took longer than 1 s/.test(error.message),
  )
  mode = 'down'
  await assert.rejects(pull(), CallUnavailable)
  assert.equal((await leads()).length, 1)
  const before = source.asked.filter((asked) => asked.startsWith(solarLeads)).length
  mode = 'well'
  const { report } = await pull()
  assert.equal(
    source.asked.filter((asked) => asked.startsWith(solarLeads)).length,
    before,
    'that list was done',
  )
  assert.equal(report.records['lead solar']!.made, 1)
})

test('a list that is too large or not given is named, and the others come', async () => {
  const { pull, leads } = await moving((operation, query, response) => {
    if (operation === solarLeads)
      return query.get('page') === '1' ? { data: [legacyLead('OTHER00001')] } : none
    if (operation === solarProjects) return { data: ['x'.repeat(1_200_000)] }
    if (operation === 'fetch_all_project_installer_hi') return void response.writeHead(403).end('{}')
    return none
  })
  const { lists } = await pull()
  assert.equal((await leads()).length, 1)
  assert.deepEqual(
    lists.map(({ list }) => list),
    [solarProjects, 'fetch_all_project_installer_hi'],
  )
})

test('the key goes to its server only: a redirect elsewhere ends the run, and no message holds it', async () => {
  const elsewhere = await startLegacySource(() => none)
  const { pull, source } = await moving((operation, _query, response) => {
    if (operation.startsWith('fetch_all_lead'))
      return void response.writeHead(302, { location: `${elsewhere.url}/${operation}` }).end()
    return void response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ message: `bad ${key}` }))
  })
  const error = await pull().then(
    () => null,
    (found: Error) => found,
  )
  assert.ok(error instanceof CallFailed)
  assert.match(error.message, /redirects to another server/)
  assert.doesNotMatch(error.message, new RegExp(key))
  assert.deepEqual([elsewhere.asked.length, [...source.keys]], [0, [`Bearer ${key}`]])
  const kept = await database.rows(`select 1 from legacy_sources s where s::text like '%${key}%'`)
  assert.equal(kept.length, 0)
})

test('a refused key ends the run at once', async () => {
  const { pull, source } = await moving(
    (_operation, _query, response) => void response.writeHead(401).end('{}'),
  )
  await assert.rejects(pull(), (error) => error instanceof CallFailed && error.status === 401)
  assert.equal(source.asked.length, 1)
})

test('of two runs the later one works, and the earlier ends', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let held: ServerResponse | null = null
  const { pull, leads } = await moving(
    async (operation, query, response) => {
      if (operation !== solarLeads || query.get('page') !== '1') return none
      const answer = { data: [legacyLead('TWORUNS001')] }
      // Beside one that is held comes the second run's; one that was given up meanwhile is asked for again.
      if (held && !held.destroyed) {
        begin()
        return answer
      }
      held = response.setHeader('content-type', 'application/json')
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
      await begun
      return void response.end(JSON.stringify(answer))
    },
    { attempts: 20 },
  )
  const first = assert.rejects(pull(), /Another run of this import has taken over/)
  while (held === null) await new Promise((resolve) => setImmediate(resolve))
  await pull()
  await first
  assert.equal((await leads()).length, 1)
})
