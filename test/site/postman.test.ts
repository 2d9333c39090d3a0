import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error it brings no types
import postman from 'postman-collection'
import { readInterfaces } from '../../site/openapi.ts'
import { startApp } from '../support/app.ts'
import { createWorld } from '../support/factories.ts'

/** Of what Postman reads. */
interface Item {
  id: string
  name: string
  request: {
    method: string
    url: { toString(): string; variables: { get(name: string): unknown } }
  }
  getAuth(): { parameters(): { get(name: string): unknown } } | undefined
}

test('the Postman collection holds every call once, with this server’s addresses, and its requests are answered', async () => {
  const app = await startApp()
  const { installer } = await createWorld(app.database.db)
  const { body: json, headers } = await app.send('GET', '/docs/postman.json')
  assert.match(headers['content-type']!, /^application\/json/)
  assert.equal(json.info.schema, 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json')

  // As Postman reads it.
  const collection = new postman.Collection(json)
  collection.variables.upsert({ key: 'apiKey', value: installer.key })
  const items: Item[] = []
  collection.forEachItem((item: Item) => void items.push(item))
  const described = readInterfaces().flatMap(({ slug, tags }) =>
    tags.flatMap(({ calls }) => calls.map(({ operationId }) => `${slug}-${operationId}`)),
  )
  assert.deepEqual(items.map(({ id }) => id).sort(), described.sort())
  assert.deepEqual(
    collection.variables.map(({ key }: { key: string }) => key),
    ['baseUrl', 'catalogBaseUrl', 'legacyBaseUrl', 'apiKey'],
  )

  const variables = collection.variables
  for (const item of items) {
    const url: string = variables.replace(item.request.url.toString())
    assert.ok(url.startsWith(`${app.url}/`), `${item.name}: ${url}`)
    assert.doesNotMatch(url, /[{}]/)
    assert.ok(item.getAuth()!.parameters().get('token'))
    if (item.request.method !== 'GET') continue
    const path = url.slice(app.url.length).replaceAll(/(?<=\/):(\w+)/g, (_, name) => given(item, name))
    const { status } = await app.get(path, installer.key)
    assert.ok([200, 404].includes(status), `${path}: ${status}`)
  }
})

const given = (item: Item, name: string) => String(item.request.url.variables.get(name))
