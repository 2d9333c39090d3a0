import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { as, during, site, time } from '../domain/sites/alerts/roof.ts'
import { store } from '../domain/sites/alerts/store.ts'
import { sunstead } from '../support/commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { temporaryFolder } from '../support/process.ts'

const database = await createTestDatabase()
const folder = await temporaryFolder()
after(async () => {
  await database.drop()
  await folder.remove()
})
const { installer, dealer, other } = await createWorld(database.db)
for (const { company } of [dealer, other])
  await store(database, company, [site([as(1), as(1), as(1), during(20, 25, 0)])])
const env = { DATABASE_URL: database.url, DATA_DIR: folder.path }
const find = (...args: string[]) => sunstead(['alerts', 'find', ...args], env)

test('finds alerts for a given time, of one installer or of all, and says what changed', async () => {
  const one = await find(
    '--at',
    time(22).toISOString(),
    '--installer',
    String(installer.company.number),
    '--json',
  )
  assert.equal(one.code, 0, one.stderr)
  const { changes, failures, ...summary } = JSON.parse(one.stdout)
  assert.deepEqual(summary, {
    at: time(22).toISOString(),
    installations: 1,
    panels: 4,
    opened: 1,
    worsened: 0,
    resolved: 0,
  })
  assert.deepEqual(failures, [])
  assert.deepEqual([changes[0].change, changes[0].type, changes[0].severity], ['opened', 'outage', 'high'])

  const all = await find('--at', '2026-09-23T02:00:00+02:00')
  assert.equal(all.code, 0, all.stderr)
  assert.match(all.stdout, /installations +2\n/)
  assert.match(all.stdout, /opened +alrt_\w+ +outage/)
  const later = JSON.parse((await find('--at', time(26).toISOString(), '--json')).stdout)
  assert.deepEqual([later.opened, later.resolved], [0, 2])
})

test('bad input is refused with what to change', async () => {
  for (const at of ['yesterday', '2026-11-01', '2026-11-01T12:00:00', '2026-13-01T12:00:00Z']) {
    const { code, stderr } = await find('--at', at)
    assert.equal(code, 1, at)
    assert.match(stderr, /timestamp with offset/)
  }
  assert.match((await find('--installer', '99999')).stderr, /no company 99999/)
  assert.match((await find('--installer', dealer.company.id)).stderr, /no installer/)
})

test('an installation that cannot be looked at is named, and the others are looked at', async () => {
  await store(database, other.company, [{ ...site([as(1)]), timezone: 'Mars/Base' }])
  const { code, stdout, stderr } = await find('--at', time(27).toISOString(), '--json')
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(other.company.id))
  const { installations, failures } = JSON.parse(stdout)
  assert.equal(installations, 1)
  assert.equal(failures.length, 1)
})
