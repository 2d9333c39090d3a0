import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { openDatabase } from '../../src/platform/db.ts'
import { secretKey } from '../support/database.ts'
import { createWorld, leadBody } from '../support/factories.ts'
import { type FloatingAddress, floatingAddress } from '../support/floating-address.ts'
import { installationBody } from '../support/panels.ts'
import { noPair, type PostgresServer, startPair } from '../support/postgres-pair.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'
import { type Receiver, startPlainReceiver } from '../support/webhook-receiver.ts'

/** What a call may wait for a database that says nothing, and for one more try; no call here should come near it. */
const boundMs = 10_000

describe('the primary dies and its standby takes over', { skip: noPair }, () => {
  const agent = new Agent({ connections: 64 })
  let primary: PostgresServer
  let standby: PostgresServer
  let address: FloatingAddress
  let receiver: Receiver
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  /** One host of one process, and one of two. */
  let hosts: ServerProcess[]
  let key: string

  before(async () => {
    ;({ primary, standby } = await startPair())
    address = await floatingAddress(primary.port)
    receiver = await startPlainReceiver()
    folder = await temporaryFolder()
    const start = (name: string, env: Record<string, string> = {}) =>
      startProcess({
        DATABASE_URL: primary.url.replace(`:${primary.port}/`, `:${address.port}/`),
        DATABASE_REPLICA_URL: standby.url,
        DATA_DIR: join(folder.path, name),
        SECRET_KEY: secretKey,
        DEMO: '0',
        RATE_LIMIT_PER_MINUTE: '0',
        OUTBOUND_TRUSTED_HOSTS: receiver.host,
        LOG_LEVEL: 'info',
        ...env,
      })
    hosts = [await start('one'), await start('two', { WEB_CONCURRENCY: '2' })]
    const db = openDatabase(primary.url, () => {})
    key = (await createWorld(db)).installer.key
    await db.close()
    const made = await call('POST', '/catalog/v1/webhooks', { url: receiver.url, events: ['lead.created'] })
    assert.equal(made.status, 201, made.text)
    // From now on what is answered is on both.
    await primary.ask(`alter system set synchronous_standby_names = '*'`)
    await primary.ask('select pg_reload_conf()')
    await eventually('a synchronous standby', async () => {
      const [found] = await primary.ask<{ state: string }>(
        'select sync_state as state from pg_stat_replication',
      )
      return found?.state === 'sync'
    })
  })
  after(async () => {
    await Promise.all((hosts ?? []).map((host) => host.end('SIGTERM')))
    await agent.destroy()
    await receiver?.close()
    await folder?.remove()
  })

  async function call(method: 'GET' | 'POST', path: string, body?: object, host = 0) {
    const begun = performance.now()
    const answer = await request(hosts[host]!.url + path, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - begun }
  }
  async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const until = Date.now() + 60_000; !(await holds()); await sleep(50))
      assert.ok(Date.now() < until, `${what} was waited for in vain`)
  }

  /** Callers of every host that write and list until told to end; what they were answered. */
  function load() {
    const written: string[] = []
    const statuses: Record<'GET' | 'POST', Map<number, number>> = { GET: new Map(), POST: new Map() }
    const wrong: string[] = []
    let longestMs = 0
    let over = false
    const note = (method: 'GET' | 'POST', answer: Awaited<ReturnType<typeof call>>) => {
      const { status, headers, text, ms } = answer
      statuses[method].set(status, (statuses[method].get(status) ?? 0) + 1)
      longestMs = Math.max(longestMs, ms)
      const isGood = status === (method === 'GET' ? 200 : 201)
      const isUnavailable = status === 503 && Number(headers['retry-after']) >= 1
      if (!isGood && !isUnavailable) wrong.push(`${method} ${status} ${text}`)
    }
    const done = Promise.all(
      [0, 1].flatMap((host) => [
        ...[1, 2, 3].map(async (writer) => {
          for (let i = 0; !over; i++) {
            const externalId = `${host}-${writer}-${i}-${written.length}`
            const answer = await call('POST', '/v1/leads', { ...leadBody, externalId }, host)
            note('POST', answer)
            if (answer.status === 201) written.push(JSON.parse(answer.text).leadId)
            await sleep(10)
          }
        }),
        ...[1, 2].map(async () => {
          while (!over) {
            note('GET', await call('GET', '/v1/leads?limit=5', undefined, host))
            await sleep(10)
          }
        }),
      ]),
    )
    return {
      written,
      wrong,
      of: (method: 'GET' | 'POST', status: number) => statuses[method].get(status) ?? 0,
      longestMs: () => longestMs,
      end: async () => {
        over = true
        await done
      },
    }
  }

  test('calls are 503 until it has, then all goes on without a restart, and nothing that was answered is lost', async (t) => {
    const calls = load()
    const more = async (method: 'GET' | 'POST', status: number, count = 20) => {
      const from = calls.of(method, status)
      await eventually(
        `${count} ${method} with ${status}`,
        async () => calls.of(method, status) >= from + count,
      )
    }
    await more('POST', 201, 60)

    await primary.kill()
    const lostAt = performance.now()
    await more('POST', 503)
    await more('GET', 503)

    // The address leads to a server that does not take writes yet.
    address.moveTo(standby.port)
    await more('GET', 200)
    const refused = calls.of('POST', 201)
    await more('POST', 503)
    assert.equal(calls.of('POST', 201), refused, 'nothing is written on a standby')

    await standby.ask('select pg_promote(true, 20)')
    const promotedAt = performance.now()
    await more('POST', 201)
    const wellAt = performance.now()
    await more('POST', 201, 60)
    await calls.end()
    t.diagnostic(
      `${Math.round(promotedAt - lostAt)} ms without a primary, writes pass ${Math.round(wellAt - promotedAt)} ms after ` +
        `it is there, longest call ${Math.round(calls.longestMs())} ms, ${calls.of('POST', 503) + calls.of('GET', 503)} were 503`,
    )
    assert.deepEqual(calls.wrong, [])
    assert.ok(calls.longestMs() < boundMs)

    const found = await standby.ask<{ id: string; times: number }>(
      'select id, count(*)::int as times from leads group by id',
    )
    const there = new Map(found.map(({ id, times }) => [id, times]))
    assert.deepEqual(
      calls.written.filter((id) => there.get(id) !== 1),
      [],
    )
    const [twice] = await standby.ask<{ count: number }>(
      `select count(*)::int as count from (select external_id from leads group by external_id having count(*) > 1) t`,
    )
    assert.equal(twice!.count, 0)

    // Jobs too: whoever leads now delivers what was written before, meanwhile and after.
    const delivered = () => new Set(receiver.received.map(({ message }) => message.data.id))
    await receiver.until(() => {
      const told = delivered()
      return [...there.keys()].every((id) => told.has(id))
    }, 'every lead that is there')
    const leaders = await standby.ask<{ count: number }>(
      `select count(*)::int as count from pg_locks where locktype = 'advisory' and objid = 7310010 and granted`,
    )
    assert.equal(leaders[0]!.count, 1)
    for (const host of hosts) {
      assert.equal((await request(`${host.url}/readyz`)).statusCode, 200)
      // What was the standby is the primary now, and nothing is left to read lists from.
      await eventually('a replica that is let go', async () =>
        /^replica_in_use 0$/m.test(await (await request(`${host.url}/metrics`)).body.text()),
      )
    }
  })

  test('a primary that is made read-only answers writes 503, and takes them again by itself', async () => {
    // One by a statement on a shared connection, one by a transaction.
    const writable = async (host: number) => {
      const lead = await call('POST', '/v1/leads', leadBody, host)
      const site = await call('POST', '/catalog/v1/installations', installationBody, host)
      return Math.max(lead.status, site.status)
    }
    await standby.ask('alter role app set default_transaction_read_only = on')
    await standby.ask(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app' and pid <> pg_backend_pid()`,
    )
    for (const host of [0, 1])
      await eventually('a refused write', async () => {
        const status = await writable(host)
        assert.ok([201, 503].includes(status), String(status))
        assert.ok([200, 503].includes((await call('GET', '/v1/leads', undefined, host)).status))
        return status === 503
      })
    await standby.ask('alter role app set default_transaction_read_only = off')
    for (const host of [0, 1]) await eventually('a write', async () => (await writable(host)) === 201)
    const { text } = await call('POST', '/v1/leads', leadBody)
    const id = JSON.parse(text).leadId
    await receiver.until(() => receiver.received.some(({ message }) => message.data.id === id), 'its webhook')
  })
})
