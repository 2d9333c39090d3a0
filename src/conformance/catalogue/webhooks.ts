import { createHmac } from 'node:crypto'
import type { Answer } from '../client.ts'
import {
  expectEqual,
  expectInvalid,
  expectMissing,
  expectShape,
  expectStatus,
  recordOf,
  rowsOf,
  succeeded,
  textAt,
  told,
} from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need } from '../outcome.ts'
import type { Received } from '../receiver.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { at, list, matching, object, oneOf, record, text, timestamp } from '../shape.ts'
import type { Row } from '../v1/records.ts'
import { createPanel, read, unknownId } from './records.ts'

/** Of a reserved domain, where nothing is delivered. */
const nowhere = 'https://conformance.example.com/webhook'

async function register(kit: Kit, more: Row = {}): Promise<Answer> {
  const answer = await kit.catalog.post('/webhooks', { url: nowhere, events: ['alert.triggered'], ...more })
  const { id } = (answer.json ?? {}) as Row
  if (typeof id === 'string') kit.later(() => kit.catalog.delete(`/webhooks/${encodeURIComponent(id)}`))
  return answer
}

const registered = (kit: Kit) => kit.once('catalogue webhook', () => register(kit))
const all = async (kit: Kit) => rowsOf(succeeded(await kit.catalog.get('/webhooks?per_page=100')))

/** Without the query, which the spec does not have, where that is refused. */
async function listed(kit: Kit, id: unknown): Promise<Row | undefined> {
  const rows = await all(kit).catch(async () => rowsOf(await kit.catalog.get('/webhooks')))
  return rows.find((row) => row['id'] === id)
}

const refused = (name: string, says: string, more: Row): Rule => ({
  id: `catalogue.webhooks.create.${name}`,
  says,
  decision: true,
  check: async (kit) => expectInvalid(await register(kit, more)),
})

interface Delivered {
  secret: string
  panel: Row
  message: Received
  path: string
}

const ofPanel = (id: unknown) => (message: Received) => at(message.json, 'data.id') === id

/**
 * An endpoint that was told of a new panel, after another one was told that the panel before it was changed: so the first
 * would have been told of that too.
 */
const delivered = (kit: Kit): Promise<Delivered> =>
  kit.once('catalogue delivered', async () => {
    const receiver = await kit.receiver()
    const { url, path } = receiver.address()
    const other = receiver.address()
    const answer = succeeded(await register(kit, { url, events: ['panel.created'] }))
    const told = await register(kit, { url: other.url, events: ['panel.updated'] })
    const first = recordOf(await createPanel(kit))
    await kit.catalog.patch(`/panels/${first['id']}`, { status: 'maintenance' })
    if (told.status < 300) await receiver.until(other.path, 'panel.updated', ofPanel(first['id']))
    const panel = recordOf(await createPanel(kit))
    const message = await receiver.until(path, 'panel.created', ofPanel(panel['id']))
    return { secret: String(at(answer.json, 'secret')), panel, message, path }
  })

const aDelivery = (kit: Kit) => need('a delivery', delivered(kit))

function signature({ headers, body }: Received, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

const deliveryRules: Rule[] = [
  {
    id: 'catalogue.webhooks.delivery',
    says: 'An endpoint receives the events that it was registered for: a new panel is told as `panel.created`.',
    decision: true,
    async check(kit) {
      await kit.receiver()
      await delivered(kit)
    },
  },
  {
    id: 'catalogue.webhooks.delivery.chosen',
    says: 'An endpoint receives no other events than it was registered for.',
    decision: true,
    async check(kit) {
      const { path } = await aDelivery(kit)
      for (const { json } of (await kit.receiver()).at(path))
        expectEqual(at(json, 'type'), 'panel.created', 'type')
    },
  },
  {
    id: 'catalogue.webhooks.delivery.payload',
    says: 'A message is `{type, timestamp, data}`, and `data` the panel as it reads.',
    decision: true,
    async check(kit) {
      const { message, panel } = await aDelivery(kit)
      const wrong = record({ type: text, timestamp, data: object })(message.json, 'the message')
      if (wrong) fail(wrong)
      expectEqual(at(message.json, 'data.name'), panel['name'], 'data.name')
    },
  },
  {
    id: 'catalogue.webhooks.delivery.signature',
    says: 'A message is signed as Standard Webhooks says, by the secret of its endpoint.',
    decision: true,
    async check(kit) {
      const { message, secret } = await aDelivery(kit)
      const sent = (message.headers['webhook-signature'] ?? '').split(' ')
      if (!sent.includes(signature(message, secret)))
        fail(`webhook-signature is ${sent.join(' ') || 'missing'}`)
    },
  },
  {
    id: 'catalogue.webhooks.delete.stops',
    says: 'After its deletion an endpoint receives no more events.',
    decision: true,
    async check(kit) {
      const receiver = await kit.receiver()
      const gone = receiver.address()
      const stays = receiver.address()
      const events = ['panel.created']
      const { id } = recordOf(await register(kit, { url: gone.url, events }))
      await register(kit, { url: stays.url, events })
      succeeded(await kit.catalog.delete(`/webhooks/${id}`))
      // A message may still be on its way when the other endpoint has its own; the first of three is not any more.
      const made = new Set<unknown>()
      for (let round = 0; round < 3; round++) {
        const panel = recordOf(await createPanel(kit))
        made.add(panel['id'])
        const told = receiver.until(stays.path, 'panel.created', ofPanel(panel['id']))
        await need('a delivery to another endpoint', told)
      }
      const late = receiver.at(gone.path).find(({ json }) => made.has(at(json, 'data.id')))
      if (late) fail(`it was told of a panel that was made later: ${late.body.slice(0, 200)}`)
    },
  },
]

export const webhookRules: Rule[] = [
  {
    id: 'catalogue.webhooks.list.status',
    says: '`GET /webhooks` answers 200 with JSON.',
    async check(kit) {
      const answer = await read(kit, '/webhooks')
      expectStatus(answer, 200)
      if (answer.json === undefined) fail(`${told(answer)}; expected JSON`)
    },
  },
  {
    id: 'catalogue.webhooks.create.status',
    says: 'A new endpoint is answered 201.',
    decision: true,
    check: async (kit) => expectStatus(await registered(kit), 201),
  },
  ...fieldRules(
    'catalogue.webhooks.create.fields',
    'A new endpoint',
    {
      id: text,
      url: text,
      events: list(text),
      status: oneOf('enabled', 'disabled'),
      created_at: timestamp,
      secret: matching('whsec_ and base64', /^whsec_[A-Za-z0-9+/]+={0,2}$/),
    },
    async (kit) => [recordOf(await registered(kit))],
    { decision: true },
  ),
  {
    id: 'catalogue.webhooks.create.listed',
    says: 'The list has every endpoint: a new one is in it, with its `url` and `events`.',
    decision: true,
    async check(kit) {
      const id = await need('an endpoint', (async () => textAt((await registered(kit)).json, 'id'))())
      const found = (await listed(kit, id)) ?? fail('it is not in the list')
      expectEqual([found['url'], found['events']], [nowhere, ['alert.triggered']], 'url and events')
    },
  },
  {
    id: 'catalogue.webhooks.create.secret-once',
    says: 'The secret is in the answer to the creation only.',
    decision: true,
    async check(kit) {
      const id = await need('an endpoint', (async () => textAt((await registered(kit)).json, 'id'))())
      expectEqual((await listed(kit, id))?.['secret'], undefined, 'secret in the list')
    },
  },
  {
    id: 'catalogue.webhooks.create.own-secret',
    says: 'An endpoint may be registered with a secret of the caller’s own.',
    async check(kit) {
      const answer = await register(kit, { secret: 'conformance-secret-of-its-own' })
      if (answer.status > 299) fail(told(answer))
    },
  },
  ...['url', 'events'].map((field) =>
    refused(`required.${field}`, `An endpoint without \`${field}\` is refused, by decision by 400.`, {
      [field]: undefined,
    }),
  ),
  refused('events.type', '`events` that is no array is 400.', { events: 'panel.created' }),
  refused('url.http', 'An address that is not https is 400.', {
    url: 'http://conformance.example.com/webhook',
  }),
  refused('url.ip', 'An IP address is 400.', { url: 'https://93.184.215.14/webhook' }),
  {
    id: 'catalogue.webhooks.create.events.unknown',
    says: 'An event that there is not is 400, and the message lists those that there are.',
    decision: true,
    async check(kit) {
      const answer = await register(kit, { events: ['conformance.happened'] })
      expectInvalid(answer)
      if (!answer.text.includes('panel.created')) fail(`${told(answer)}; they are not listed`)
    },
  },
  ...['panel.created', 'alert.triggered'].map(
    (name): Rule => ({
      id: `catalogue.webhooks.create.events.${name}`,
      says: `\`${name}\` is an event that an endpoint can be registered for.`,
      async check(kit) {
        const answer = await register(kit, { events: [name] })
        if (answer.status > 299) fail(told(answer))
      },
    }),
  ),
  {
    id: 'catalogue.webhooks.delete',
    says: 'A deleted endpoint is not in the list any more.',
    decision: true,
    async check(kit) {
      const { id } = await need('an endpoint', (async () => recordOf(await register(kit)))())
      succeeded(await kit.catalog.delete(`/webhooks/${id}`))
      if (await listed(kit, id)) fail('it is still there')
    },
  },
  {
    id: 'catalogue.webhooks.delete.status',
    says: 'A deleted endpoint is answered 204, and 404 from then on.',
    decision: true,
    async check(kit) {
      const { id } = await need('an endpoint', (async () => recordOf(await register(kit)))())
      expectStatus(await kit.catalog.delete(`/webhooks/${id}`), 204)
      expectMissing(await kit.catalog.delete(`/webhooks/${id}`))
    },
  },
  {
    id: 'catalogue.webhooks.delete.missing',
    says: 'An endpoint that there is not is 404.',
    decision: true,
    check: async (kit) => expectMissing(await kit.catalog.delete(`/webhooks/${unknownId}`)),
  },
  {
    id: 'catalogue.webhooks.list.envelope',
    says: 'The list is in `data`, each endpoint with `id`, `url` and `events`.',
    decision: true,
    check: async (kit) =>
      expectShape(
        await kit.catalog.get('/webhooks'),
        list(record({ id: text, url: text, events: list(text) })),
        'data',
      ),
  },
  ...deliveryRules,
]
