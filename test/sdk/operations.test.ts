import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalogOperations } from '../../sdk/src/generated/catalog.ts'
import { companyOperations } from '../../sdk/src/generated/company.ts'
import { legacyOperations } from '../../sdk/src/generated/legacy.ts'
import { ApiError, createClient } from '../../sdk/src/index.ts'
import { startApp } from '../support/app.ts'
import { createWorld } from '../support/factories.ts'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { root } from '../support/process.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const proxy = await startFaultyProxy(app.url, () => undefined)
const client = createClient({ key: world.installer.key, baseUrl: proxy.url, maxRetries: 0 })

interface Described {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: object
}

// biome-ignore lint/suspicious/noExplicitAny: called by names that only the descriptions know
type Anything = any

const interfaces: [document: string, rows: typeof companyOperations, api: Anything, prefix: string][] = [
  ['company-key-api', companyOperations, client, ''],
  ['catalogue-api', catalogOperations, client.catalog, '/catalog'],
  ['legacy-workflow-api', legacyOperations, client.legacy, '/legacy'],
]

for (const [document, rows, api, prefix] of interfaces) {
  test(`every operation of ${document} is a method that calls it`, async () => {
    const text = await readFile(join(root, `openapi/${document}.json`), 'utf8')
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Described>> }
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    )
    assert.ok(described.length > 20)
    assert.equal(rows.length, described.length)
    for (const { path, method, operation } of described) {
      const { operationId: id, parameters = [], requestBody } = operation
      const row = rows.find((one) => one.id === id)
      assert.ok(row, `${id} is no method`)
      const call = row.name.split('.').reduce((at: Anything, name) => at[name], api) as Anything
      assert.equal(typeof call, 'function', row.name)
      const inPath = parameters.filter((one) => one.in === 'path')
      const query = parameters.filter((one) => one.in === 'query')
      const required = query.filter((one) => one.required).map(({ name }) => [name, '1'])
      const input = query.length > 0 ? [Object.fromEntries(required)] : requestBody ? [{}] : []
      const before = proxy.passed.length
      const error = await call(...inPath.map(() => 'a b/ü?#'), ...input).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      // Whatever it was told, it was told by that very route.
      if (error) {
        assert.ok(error instanceof ApiError, `${id}: ${error}`)
        assert.ok(['invalid', 'not_found'].includes(error.code), `${id}: ${error.message}`)
        assert.doesNotMatch(error.message, /no such address|GET|POST/, id)
      }
      assert.equal(proxy.passed.length, before + 1, id)
      const sent = proxy.passed[before]!
      const address = prefix + path.replaceAll(/\{\w+\}/g, 'a%20b%2F%C3%BC%3F%23')
      assert.deepEqual([sent.method, sent.path.split('?')[0]], [method, address], id)
      const takesKey = parameters.some((one) => one.in === 'header' && one.name === 'idempotency-key')
      assert.equal(sent.headers['idempotency-key'] !== undefined, takesKey, id)
      assert.equal(sent.headers['content-type'], requestBody ? 'application/json' : undefined, id)
    }
  })
}

test('methods have names that can be guessed', () => {
  const names = [
    ...companyOperations,
    ...catalogOperations.map((row) => ({ ...row, name: `catalog.${row.name}` })),
  ]
  const known = new Set(names.map(({ name }) => name))
  for (const name of [
    'me.get',
    'leads.list',
    'leads.create',
    'leads.get',
    'leads.update',
    'leads.sell',
    'leads.listActivities',
    'leads.writeNote',
    'batch.leads',
    'projects.moveStage',
    'projects.addFiles',
    'stages.list',
    'events.list',
    'catalog.panels.list',
    'catalog.monitoring.takeReadings',
    'catalog.billing.payInvoice',
    'catalog.webhooks.rotateSecret',
    'catalog.webhooks.listDeliveries',
  ])
    assert.ok(known.has(name), `${name} is not among ${[...known].join(', ')}`)
})

test('an id that would make another address of it is never sent', () => {
  for (const id of ['', '.', '..', undefined as unknown as string])
    assert.throws(() => client.catalog.panels.delete(id), /panel_id must be an id/)
})
