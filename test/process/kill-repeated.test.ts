import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeDataDir } from '../support/data-dir.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
const env = { DATA_DIR: join(folder.path, 'data'), DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' }
after(() => folder.remove())

const address = { line1: '1 A St', city: 'B', state: 'CA', postalCode: '90001' }
const lead = { firstName: 'A', lastName: 'B', address }

test('kill -9 between the write and its answer: sent again with the same key, each call was done once', async () => {
  const { key } = await makeDataDir(env.DATA_DIR)
  let server = await startProcess(env)
  const authorization = `Bearer ${key}`
  const post = async (to: ServerProcess, path: string, body: object, once: string): Promise<string> => {
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': once }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    let answer = await fetch(to.url + path, request)
    // A server that has just started, on a slow machine: it asks to be called again, and each call is as good as the first.
    while (answer.status === 503) answer = await fetch(to.url + path, request)
    const text = await answer.text()
    assert.ok(answer.ok, text)
    return text
  }
  const drafted = await post(
    server,
    '/catalog/v1/billing/invoices',
    { customer: { name: 'Ada' }, line_items: [{ description: 'Power', quantity: 1, unit_price: 100_000 }] },
    'draft',
  )
  const invoice = `/catalog/v1/billing/invoices/${JSON.parse(drafted).id}`
  await post(server, `${invoice}/finalize`, {}, 'finalize')

  /** What was sent, and what was answered where it was. */
  const sent = new Map<string, { path: string; body: object; text: string | null }>()
  for (let round = 0; round < 2; round++) {
    let answered = 0
    const writer = async (caller: number) => {
      for (let i = 0; ; i++) {
        const once = `${round}-${caller}-${i}`
        const call =
          caller % 2 === 0
            ? { path: '/v1/leads', body: lead, text: null }
            : { path: `${invoice}/pay`, body: { amount: 1 }, text: null }
        sent.set(once, call)
        const text = await post(server, call.path, call.body, once)
        sent.set(once, { ...call, text })
        if (++answered === 60) process.kill(server.child.pid!, 'SIGKILL')
      }
    }
    await Promise.allSettled(Array.from({ length: 8 }, (_, caller) => writer(caller)))
    server = await startProcess(env)
    const unanswered = [...sent.values()].filter(({ text }) => text === null)
    assert.ok(unanswered.length > 0)
    await Promise.all(
      [...sent].map(async ([once, { path, body, text }]) => {
        const again = await post(server, path, body, once)
        if (text === null) sent.set(once, { path, body, text: again })
        else assert.equal(again, text)
      }),
    )
  }

  const get = async (path: string) => (await fetch(server.url + path, { headers: { authorization } })).json()
  const { amount_paid } = (await get(invoice)) as { amount_paid: number }
  const leads = new Set<string>()
  let next: string | null = ''
  while (next !== null) {
    const page = (await get(`/v1/leads?limit=100${next ? `&cursor=${encodeURIComponent(next)}` : ''}`)) as {
      data: { id: string }[]
      next: string | null
    }
    for (const { id } of page.data) leads.add(id)
    next = page.next
  }
  const calls = [...sent.values()]
  assert.equal(amount_paid, calls.filter(({ path }) => path.endsWith('/pay')).length)
  const made = calls.filter(({ path }) => path === '/v1/leads').map(({ text }) => JSON.parse(text!).leadId)
  assert.deepEqual([leads.size, new Set(made).size], [made.length, made.length])
  await server.end('SIGTERM')
})
