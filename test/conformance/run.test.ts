import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRules, interfaceOf } from '../../src/conformance/chapters.ts'
import { interfaces } from '../../src/conformance/rule.ts'
import { type Result, runConformance } from '../../src/conformance/run.ts'
import { catalogueFaults } from './faults-catalogue.ts'
import { legacyFaults } from './faults-legacy.ts'
import { v1Faults } from './faults-v1.ts'
import { v1ListFaults } from './faults-v1-lists.ts'
import { type Asked, startFaultyProxy } from './faulty-proxy.ts'
import { startJudgedServer } from './judged-server.ts'

const server = await startJudgedServer()
const proxy = await startFaultyProxy()
const { installer, dealer } = server.world
const keys = { installer: installer.key, dealer: dealer.key }

const named = (results: Result[], result: Result['result']) =>
  results.filter((one) => one.result === result).map(({ id }) => id)
const reasons = (results: Result[], result: Result['result']) =>
  results.filter((one) => one.result === result).map(({ id, why }) => `${id}: ${why}`)

/** In which a minute passes until the call is let through again; broken-servers.test.ts plays a server that waits a second. */
const waits = 'v1.limits.waited'

test('each rule has an id of its own and a sentence, in each interface several dozen', () => {
  assert.equal(new Set(allRules.map(({ id }) => id)).size, allRules.length)
  for (const { id, says } of allRules) {
    assert.match(id, /^(v1|legacy|catalogue)(\.[\w-]+)+$/)
    assert.match(says, /^[A-Z`].+\.$/, id)
  }
  for (const name of interfaces) {
    const count = allRules.filter((rule) => interfaceOf(rule) === name).length
    assert.ok(count > 80, `${count} of ${name}`)
  }
})

test('our server passes every rule', async () => {
  proxy.plant(null, server.app.url)
  const results = await runConformance(server.target(proxy.url), { rateLimit: false })
  assert.deepEqual(reasons(results, 'failed'), [])
  const limits = allRules.map(({ id }) => id).filter((id) => id.startsWith('v1.limits.'))
  assert.deepEqual(named(results, 'not applicable'), limits, reasons(results, 'not applicable').join('\n'))
})

test('our server holds to the limit', async () => {
  const target = server.target(server.limited.url, { dealerKey: await server.freshDealerKey() })
  const only = allRules.map(({ id }) => id).filter((id) => id.startsWith('v1.limits.') && id !== waits)
  const results = await runConformance(target, { only })
  assert.deepEqual(named(results, 'passed'), only, reasons(results, 'failed').join('\n'))
})

test('what the operator does not tell makes rules not applicable, by name and reason', async () => {
  const { baseUrl, installerKey } = server.target()
  const bare = {
    ...server.target(),
    baseUrl,
    installerKey,
    dealerKey: null,
    legacyDealerKey: null,
    catalogDealerKey: null,
    orgId: null,
    installerId: null,
    hiProject: null,
    fileUrl: null,
    memberEmail: null,
    receiver: null,
  }
  const results = await runConformance(bare, { rateLimit: false })
  assert.deepEqual(reasons(results, 'failed'), [])
  const asked = results
    .filter((one) => one.result === 'not applicable')
    .map(({ why }) => /--[a-z-]+/.exec(why!)?.[0])
  const options = [
    '--dealer-key',
    '--file-url',
    '--hi-project',
    '--installer-id',
    '--member-email',
    '--no-rate-limit',
  ]
  assert.deepEqual([...new Set(asked)].sort(), [...options, '--org-id', '--receiver-url'])
})

test('a read-only run writes nothing', async () => {
  const count = async () => (await server.app.database.rows('select count(*)::int as all from events'))[0]
  const before = await count()
  const methods = new Set<string>()
  const when = ({ method }: Asked) => {
    methods.add(method)
    return false
  }
  proxy.plant({ name: 'none', fails: [], within: [], when }, server.app.url)
  const results = await runConformance(server.target(proxy.url), { readOnly: true, rateLimit: false })
  assert.deepEqual(reasons(results, 'failed'), [])
  assert.ok(named(results, 'passed').length > 200, `${named(results, 'passed').length} passed`)
  assert.deepEqual([...methods], ['GET'])
  assert.deepEqual(await count(), before)
})

const faults = [...v1Faults(keys), ...v1ListFaults(keys), ...legacyFaults(keys), ...catalogueFaults]

test('the planted faults are many, and each interface has some', () => {
  for (const name of interfaces)
    assert.ok(faults.filter(({ fails }) => fails[0]!.startsWith(`${name}.`)).length >= 10, name)
})

for (const fault of faults) {
  test(`a fault: ${fault.name}`, async () => {
    proxy.plant(fault, fault.limited ? server.limited.url : server.app.url)
    const more = fault.limited ? { dealerKey: await server.freshDealerKey() } : {}
    const results = await runConformance(server.target(proxy.url, more), { only: fault.within })
    const failed = named(results, 'failed').sort()
    assert.deepEqual(failed, [...fault.fails].sort(), reasons(results, 'failed').join('\n'))
  })
}
