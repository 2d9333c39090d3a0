import assert from 'node:assert/strict'
import { after } from 'node:test'
import { type App, startApp } from './app.ts'
import { type Actors, createWorld, type World } from './factories.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

export interface Hook {
  id: string
  /** Where the receiver hears of it. */
  path: string
  secret: string
}

export interface WebhookApp {
  app: App
  world: World
  receiver: Receiver
  /** Registers an endpoint with a path of its own. */
  register(of?: Actors, events?: string[], more?: object): Promise<Hook>
  post(path: string, body?: unknown, key?: string): ReturnType<App['call']>
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
  deliveries(hook: Hook, query?: string): Promise<any[]>
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
  record(hook: Hook): Promise<any>
  /** Asks until it holds, for what nobody tells us of. */
  eventually(what: string, holds: () => Promise<boolean>): Promise<void>
}

/** The server, and a receiver of webhooks that it may call. */
export async function startWebhookApp(retrySeconds = '0.1,0.2,0.3'): Promise<WebhookApp> {
  const receiver = await startReceiver()
  const app = await startApp({
    env: { OUTBOUND_TRUSTED_HOSTS: receiver.host, WEBHOOK_RETRY_SECONDS: retrySeconds },
    outside: { ca: receiver.ca },
  })
  after(() => receiver.close())
  const world = await createWorld(app.database.db)
  const { key } = world.installer
  let paths = 0
  const post: WebhookApp['post'] = (path, body, as = key) =>
    app.call('POST', `/catalog/v1/webhooks${path}`, { key: as, ...(body === undefined ? {} : { body }) })
  return {
    app,
    world,
    receiver,
    post,
    async register(of = world.installer, events = ['*'], more = {}) {
      const path = `/${++paths}`
      const { status, body, text } = await post('', { url: receiver.url + path, events, ...more }, of.key)
      assert.equal(status, 201, text)
      return { path, id: body.id, secret: body.secret }
    },
    async deliveries({ id }, query = '') {
      const { body } = await app.get(`/catalog/v1/webhooks/${id}/deliveries?per_page=100${query}`, key)
      return body.data
    },
    async record({ id }) {
      const { body } = await app.get('/catalog/v1/webhooks?per_page=100', key)
      return body.data.find((webhook: { id: string }) => webhook.id === id)
    },
    async eventually(what, holds) {
      const limit = Date.now() + 60_000
      while (!(await holds())) {
        assert.ok(Date.now() < limit, what)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}
