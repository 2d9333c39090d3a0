import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { openDatabase } from '../../src/platform/db.ts'
import { type App, startApp } from '../support/app.ts'
import type { TestDatabase } from '../support/database.ts'
import { energy, send, site } from '../support/energy.ts'
import { createWorld, leadBody, type World } from '../support/factories.ts'
import { installation } from '../support/panels.ts'
import { noPair, type PostgresServer, startPair } from '../support/postgres-pair.ts'

describe('with a hot standby as replica', { skip: noPair }, () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let database: TestDatabase
  let app: App
  let world: World
  const logged: { msg?: string; reason?: string }[] = []

  before(async () => {
    ;({ primary, standby } = await startPair())
    const db = openDatabase(primary.url, () => {})
    const rows: TestDatabase['rows'] = (text, values = []) => db.query({ text }, values)
    database = { url: primary.url, db, rows, drop: () => db.close() }
    const log = pino({ level: 'info', base: null }, { write: (line) => void logged.push(JSON.parse(line)) })
    app = await startApp({ database, log, env: { DATABASE_REPLICA_URL: standby.url } })
    world = await createWorld(db)
    await inUse(true)
    await caughtUp()
  })

  async function value(series: string): Promise<number> {
    const { text } = await app.send('GET', '/metrics')
    const line = text.split('\n').find((one) => one.startsWith(`${series} `))
    return line === undefined ? 0 : Number(line.slice(series.length + 1))
  }
  const reads = (from: string, reason: string) =>
    value(`replica_reads_total{from="${from}",reason="${reason}"}`)
  /** How many more lists were read so while this was done. */
  async function readsWhile(from: string, reason: string, work: () => Promise<unknown>): Promise<number> {
    const first = await reads(from, reason)
    await work()
    return (await reads(from, reason)) - first
  }
  /** Also where the replica, on a busy machine, is taken for away in between. */
  async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
    for (const until = Date.now() + 60_000; !(await holds()); await sleep(25))
      assert.ok(Date.now() < until, `${what} was waited for in vain`)
  }
  const inUse = (whether: boolean) =>
    eventually(
      `the replica ${whether ? '' : 'not '}in use`,
      async () => (await value('replica_in_use')) === Number(whether),
    )
  const caughtUp = () =>
    eventually('a replica that has all', async () => {
      const [here] = await primary.ask<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')
      const [there] = await standby.ask<{ all: boolean }>(
        `select pg_last_wal_replay_lsn() >= '${here!.lsn}' as all`,
      )
      return there!.all
    })
  const setting = async (server: PostgresServer, name: string, to: string) => {
    await server.ask(`alter system set ${name} = '${to}'`)
    await server.ask('select pg_reload_conf()')
  }
  async function newLead(key: string): Promise<string> {
    const { status, body, text } = await app.call('POST', '/v1/leads', { key, body: leadBody })
    assert.equal(status, 201, text)
    return body.leadId
  }
  async function list(
    key: string,
    query = '',
  ): Promise<{ data: { id: string; updatedAt: string }[]; next: string }> {
    const { status, body, text } = await app.get(`/v1/leads?limit=100${query}`, key)
    assert.equal(status, 200, text)
    return body
  }
  const has = async (key: string, id: string) => (await list(key)).data.some((lead) => lead.id === id)

  test('lists, reports and counted pages are read from it', async () => {
    const { key } = world.other
    await newLead(key)
    await caughtUp()
    const paths = [
      '/v1/leads',
      '/v1/projects',
      `/legacy/fetch_all_lead_installer?installer_id=${world.other.company.number}`,
      '/catalog/v1/installations',
      '/catalog/v1/panels',
      '/catalog/v1/billing/invoices',
      '/catalog/v1/monitoring/alerts',
      '/catalog/v1/monitoring/energy?start_date=2026-03-01&end_date=2026-03-02&granularity=daily',
    ]
    for (const path of paths) {
      const ask = async () => {
        const { status, text } = await app.get(path, key)
        assert.equal(status, 200, text)
      }
      // What we write besides, such as the request log, may be on its way.
      await eventually(
        `${path} of the replica`,
        async () => (await readsWhile('replica', 'fresh', ask)) === 1,
      )
    }
    const asked = await standby.ask<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where application_name = 'sunstead' and usename = 'app'`,
    )
    assert.ok(asked[0]!.count > 0)
    await eventually('no lag', async () => (await value('replica_lag_seconds')) === 0)
  })

  test('what was answered is in every list from then on, however far the replica is behind', async (t) => {
    // Longer than a list takes to come after its write.
    await setting(standby, 'recovery_min_apply_delay', '2s')
    const { installation: installationId, panels } = await site(
      database,
      world.installer,
      'America/Denver',
      50,
    )
    const { key } = world.installer
    const { number } = world.installer.company
    let misses = 0
    const pairs: ((i: number) => Promise<boolean>)[] = [
      async () => has(key, await newLead(key)),
      async () => {
        const id = await newLead(key)
        const { body } = await app.get(`/legacy/fetch_all_lead_installer?installer_id=${number}`, key)
        return JSON.stringify(body.data).includes(id)
      },
      async () => {
        const id = await installation(app, world.dealer)
        const { body } = await app.get('/catalog/v1/installations?per_page=100', world.dealer.key)
        return body.data.some((one: { id: string }) => one.id === id)
      },
      // Readings do not move the tenant's clock.
      async (i) => {
        const panelId = panels[i % panels.length]!
        await send(app, key, [
          { panel_id: panelId, timestamp: `2026-03-10T18:${10 + (i % 50)}:00Z`, kwh: 0.01 },
        ])
        const { data } = await energy(app, key, {
          ...{ panel_id: panelId, installation_id: installationId },
          ...{ start_date: '2026-03-10', end_date: '2026-03-10', granularity: 'daily' },
        })
        return data.length === 1
      },
    ]
    const behind = await readsWhile('primary', 'behind', async () => {
      for (let round = 0; round < 10; round++) {
        const answers = await Promise.all(
          Array.from({ length: 32 }, (_, i) => pairs[i % pairs.length]!(round * 8 + Math.floor(i / 4))),
        )
        misses += answers.filter((there) => !there).length
      }
    })
    assert.equal(misses, 0)
    t.diagnostic(`of 320 lists right after a write ${behind} were read from the primary`)
    assert.ok(behind > 100)
    await setting(standby, 'recovery_min_apply_delay', '0')
    await caughtUp()
  })

  test('others who write keep a tenant’s leads from nobody’s replica', async () => {
    await standby.ask('select pg_wal_replay_pause()')
    await newLead(world.installer.key)
    await eventually(
      'a list of the replica',
      async () => (await readsWhile('replica', 'fresh', () => list(world.other.key))) === 1,
    )
    const lists = async () => {
      await list(world.installer.key)
      await app.get('/catalog/v1/panels', world.other.key)
    }
    await eventually('lists of the primary', async () => (await readsWhile('primary', 'behind', lists)) === 2)
    await eventually('a lag', async () => (await value('replica_lag_seconds')) > 0)
    await standby.ask('select pg_wal_replay_resume()')
    await caughtUp()
    await eventually('no lag', async () => (await value('replica_lag_seconds')) === 0)
  })

  test('a cursor of one goes on at the other, and who syncs by updatedSince misses nothing', async () => {
    const { key } = world.sister
    const made = new Set<string>()
    for (let i = 0; i < 12; i++) made.add(await newLead(key))
    await caughtUp()
    const page = async (query: string) => (await app.get(`/v1/leads?limit=5${query}`, key)).body
    let first: Awaited<ReturnType<typeof page>>
    const begin = async () => (first = await page(''))
    await eventually(
      'a first page of the replica',
      async () => (await readsWhile('replica', 'fresh', begin)) === 1,
    )
    await standby.ask('select pg_wal_replay_pause()')
    await newLead(world.installer.key)
    let found: string[] = []
    const goOn = async () => {
      found = first.data.map(({ id }: { id: string }) => id)
      for (let { next } = first; next; ) {
        const more = await page(`&cursor=${next}`)
        found.push(...more.data.map(({ id }: { id: string }) => id))
        next = more.next
      }
    }
    await eventually(
      'two more of the primary',
      async () => (await readsWhile('primary', 'behind', goOn)) === 2,
    )
    assert.deepEqual(new Set(found), made)
    await standby.ask('select pg_wal_replay_resume()')

    await setting(standby, 'recovery_min_apply_delay', '15ms')
    const seen = new Set<string>()
    let since = '2000-01-01T00:00:00.000Z'
    const poll = async () => {
      const { data } = await list(key, `&updatedSince=${since}`)
      for (const { id, updatedAt } of data) {
        seen.add(id)
        if (updatedAt > since) since = updatedAt
      }
    }
    let writing = true
    const polling = (async () => {
      while (writing) await poll()
    })()
    const before = await reads('replica', 'fresh')
    const asksReplica = async () => (await reads('replica', 'fresh')) > before
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        // Ever more slowly, where the replica never came to have all of it.
        for (let i = 0; i < 25 || (i < 100 && !(await asksReplica())); i++) {
          made.add(await newLead(key))
          await sleep(Math.random() * Math.max(40, 2 * i))
        }
      }),
    )
    writing = false
    await polling
    assert.ok(await asksReplica(), 'the replica was asked meanwhile')
    await poll()
    assert.deepEqual(seen, made)
    await setting(standby, 'recovery_min_apply_delay', '0')
    await caughtUp()
  })

  test('a list that replay has to cancel is read from the primary', async () => {
    await setting(standby, 'max_standby_streaming_delay', '0')
    const text = 'select pg_sleep(30) from passing'
    const dropped = async () => {
      await eventually('a list that is being read', async () => {
        const reading = await standby.ask(
          `select pid from pg_stat_activity where query like '%${text}%' and wait_event = 'PgSleep'`,
        )
        return reading.length > 0
      })
      await primary.ask('drop table if exists public.passing')
    }
    const ran: boolean[] = []
    const read = async () => {
      const answer = await app.server.deps.db.reading(world.other.company.id, 'anything', async (db) => {
        const [where] = await db.query<{ standby: boolean }>(
          { text: 'select pg_is_in_recovery() as standby' },
          [],
        )
        ran.push(where!.standby)
        if (where!.standby) await Promise.all([db.query({ text }, []), dropped()])
        return 'read'
      })
      assert.equal(answer, 'read')
    }
    await eventually('a list that was cancelled', async () => {
      ran.length = 0
      await primary.ask('drop table if exists public.passing')
      await primary.ask('create table public.passing as select 1 as n; grant select on public.passing to app')
      await caughtUp()
      return (await readsWhile('primary', 'conflict', read)) === 1
    })
    assert.deepEqual(ran, [true, false])
    assert.deepEqual(
      logged.filter(({ reason = '' }) => /conflict with recovery/.test(reason)),
      [],
      'it is no reason to let the replica go',
    )
  })

  test('frozen, gone or refusing it is let go, told of once, and taken up again by itself', async () => {
    const { key } = world.other
    for (const take of ['freeze', 'kill'] as const) {
      const told = () =>
        logged
          .map(({ msg = '' }) => msg)
          .filter((msg) => /^(the replica is away|lists are read from the replica)/.test(msg))
      let bring: () => void | Promise<void> = () => {}
      let over = false
      const lists = Promise.all(
        Array.from({ length: 8 }, async () => {
          while (!over) await list(key)
        }),
      )
      if (take === 'freeze') bring = standby.freeze()
      else {
        await standby.kill()
        bring = () => standby.start()
      }
      await inUse(false)
      const id = await newLead(key)
      assert.ok(await has(key, id))
      over = true
      await lists
      assert.equal(await readsWhile('primary', 'away', () => list(key)), 1, 'nobody waits for it')
      assert.match(told().at(-1)!, /^the replica is away/)
      assert.ok(
        told().every((msg, i, all) => msg !== all[i - 1]),
        'it is told of once',
      )
      await bring()
      await inUse(true)
      await caughtUp()
      await eventually(
        'a list of the replica',
        async () => (await readsWhile('replica', 'fresh', () => list(key))) === 1,
      )
    }
  })
})
