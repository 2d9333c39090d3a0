import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Agent, request } from 'undici'
import { loadDirectory } from '../../src/domain/kernel/tenant/queries.ts'
import { asOneAnswer, markTables } from '../../src/platform/citus/shard-text.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { tenantParam } from '../../src/platform/sql/sql.ts'
import { openOnCitus, within } from '../support/citus.ts'
import { type Cluster, noCitus, startCluster } from '../support/citus-cluster.ts'
import { sunstead } from '../support/commands.ts'
import { secretKey } from '../support/database.ts'
import { type Actors, createWorld, lead, leadBody } from '../support/factories.ts'
import { laterIndexes, laterMigration } from '../support/later-migration.ts'
import type { PostgresServer } from '../support/postgres-pair.ts'
import { root, type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'
import { declaredStatements, formsOf } from '../support/statement-forms.ts'
import { type Receiver, startPlainReceiver } from '../support/webhook-receiver.ts'

describe('tenants on several nodes', { skip: noCitus }, () => {
  const agent = new Agent({ connections: 32 })
  let cluster: Cluster
  let server: ServerProcess
  let receiver: Receiver
  let env: Record<string, string>
  /** A tenant of each of the two workers. */
  let tenants: [Actors, Actors]

  before(async () => {
    cluster = await startCluster()
    receiver = await startPlainReceiver()
    env = {
      DATABASE_URL: cluster.url,
      DATA_DIR: join((await temporaryFolder()).path, 'data'),
      SECRET_KEY: secretKey,
      DEMO: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      OUTBOUND_TRUSTED_HOSTS: receiver.host,
    }
    server = await startProcess(env)
    const db = openOnCitus(cluster.url)
    const found = new Map<number, Actors>()
    while (found.size < 2) {
      const { installer, other } = await createWorld(db)
      for (const one of [installer, other]) found.set(await portOf(one), one)
    }
    await db.close()
    tenants = [found.get(cluster.workers[0]!.port)!, found.get(cluster.workers[1]!.port)!]
  })

  async function portOf({ company }: Actors): Promise<number> {
    const [row] = await cluster.coordinator.ask<{ port: number }>(
      `select n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
        where p.shardid = get_shard_id_for_distribution_column('tenant_clocks', '${company.id}')`,
    )
    return row!.port
  }

  async function call(method: 'GET' | 'POST', path: string, { key }: Actors, body?: object) {
    const answer = await request(`${server.url}${path}`, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test finds out
    return { status: answer.statusCode, headers: answer.headers, body: (await answer.body.json()) as any }
  }

  const create = (tenant: Actors, externalId: string) =>
    call('POST', '/v1/leads', tenant, { ...leadBody, externalId })
  const list = (tenant: Actors) => call('GET', '/v1/leads?limit=100&productLine=solar', tenant)

  /** Keeps a tenant's shard from being moved, as a transaction that writes does. */
  async function holdShard(tenant: Actors): Promise<() => Promise<void>> {
    const client = new pg.Client({
      connectionString: `postgres://owner@127.0.0.1:${await portOf(tenant)}/sunstead`,
      application_name: 'somebody',
    })
    await client.connect()
    await client.query('begin')
    const shard = `get_shard_id_for_distribution_column('tenant_clocks', $1::text)`
    await client.query(`select lock_shard_metadata(3, array[${shard}])`, [tenant.company.id])
    return () => client.end()
  }

  async function eventually(what: string, limitMs: number, holds: () => Promise<boolean>): Promise<void> {
    for (const until = performance.now() + limitMs; !(await holds()); await sleep(50))
      assert.ok(performance.now() < until, `no ${what} within ${limitMs} ms`)
  }

  test('a worker that is lost is felt by its own tenants alone, and they are well within 5 s of its return', async () => {
    const [near, far] = tenants
    const hook = { url: receiver.url, events: ['lead.created'] }
    assert.equal((await call('POST', '/catalog/v1/webhooks', near, hook)).status, 201)
    for (const tenant of tenants) assert.equal((await create(tenant, 'before')).status, 201)
    await eventually('delivery', 10_000, async () => receiver.received.length === 1)

    await cluster.workers[1]!.kill()
    for (let i = 0; i < 20; i++) {
      assert.equal((await create(near, `while-${i}`)).status, 201)
      assert.equal((await list(near)).status, 200)
      const lost = i % 2 ? await create(far, `lost-${i}`) : await list(far)
      assert.equal(lost.status, 503, JSON.stringify(lost.body))
      assert.ok(Number(lost.headers['retry-after']) > 0)
    }
    await eventually('deliveries without it', 15_000, async () => receiver.received.length === 21)

    const { code, stdout } = await sunstead(['doctor', '--json'], env)
    assert.equal(code, 1)
    const [nodes] = JSON.parse(stdout).filter(({ check }: { check: string }) => check === 'nodes')
    assert.equal(nodes.result, 'PROBLEM')
    assert.match(nodes.detail, new RegExp(`127\\.0\\.0\\.1:${cluster.workers[1]!.port} cannot be reached`))

    await cluster.workers[1]!.start()
    await eventually('write where it is back', 5_000, async () => (await create(far, 'after')).status === 201)
    const { body } = await list(far)
    assert.deepEqual(body.data.map((lead: { externalId: string }) => lead.externalId).toSorted(), [
      'after',
      'before',
    ])
  })

  test('a worker that hears nothing is felt by its own tenants alone, and they are well within 5 s of its return', async () => {
    const [near, far] = tenants
    const goOn = cluster.workers[1]!.freeze()
    let slowest = 0
    try {
      for (let i = 0; i < 20; i++) {
        const lost = i % 2 ? create(far, `frozen-${i}`) : list(far)
        const began = performance.now()
        assert.equal((await create(near, `beside-${i}`)).status, 201)
        assert.equal((await list(near)).status, 200)
        slowest = Math.max(slowest, performance.now() - began)
        if (i % 5 === 4) {
          const { status, headers, body } = await lost
          assert.equal(status, 503, JSON.stringify(body))
          assert.ok(Number(headers['retry-after']) > 0)
        } else void lost.catch(() => {})
      }
    } finally {
      goOn()
    }
    assert.ok(slowest < 2_000, `the others waited for ${Math.round(slowest)} ms`)
    await eventually(
      'write where it is back',
      5_000,
      async () => (await create(far, 'thawed')).status === 201,
    )
  })

  test('every statement of a tenant is planned by its node, on its own shards alone', async () => {
    const [near] = tenants
    const client = new pg.Client({
      connectionString: `postgres://owner@127.0.0.1:${await portOf(near)}/sunstead`,
    })
    await client.connect()
    try {
      await client.query(
        `set plan_cache_mode = force_generic_plan; set citus.override_table_visibility = off`,
      )
      const { rows } = await client.query<{ name: string; shard: string; isOwn: boolean }>(
        `select s.logicalrelid::regclass::text as name, s.logicalrelid::regclass || '_' || s.shardid as shard,
           s.shardminvalue is not null as "isOwn"
         from pg_dist_shard s, pg_dist_shard clock
         where clock.shardid = get_shard_id_for_distribution_column('tenant_clocks', $1::text)
           and (s.shardminvalue = clock.shardminvalue or s.shardminvalue is null)`,
        [near.company.id],
      )
      const shards = new Map(rows.map(({ name, shard }) => [name, shard]))
      const own = new Set(shards.values())
      const tenants = new Set(rows.filter(({ isOwn }) => isOwn).map(({ name }) => name))
      let planned = 0
      for (const { at, row, options, ...statement } of await declaredStatements())
        for (const { text, places } of formsOf({ at, row, options, ...statement })) {
          if (!options.across && places[0] !== tenantParam) continue
          const marked = markTables(text)
          const tables = [...marked.matchAll(/@(\w+)@/g)].map((match) => match[1]!)
          if (!tables.some((table) => tenants.has(table))) continue
          const onShards = marked.replace(/@(\w+)@/g, (_, table) => shards.get(table) ?? table)
          const values = places.map(() => 'null')
          await client
            .query(`prepare one as ${asOneAnswer(onShards, row?.columns ?? {})}`)
            .catch((error: Error) => assert.fail(`${at}: ${error.message}\n${text}`))
          const answer = await client.query(
            `explain (format json, costs off) execute one${values.length > 0 ? `(${values})` : ''}`,
          )
          await client.query('deallocate one')
          const nodes = planNodes(answer.rows[0]['QUERY PLAN'][0].Plan)
          const strange = nodes.filter(
            (node) =>
              node['Node Type'] === 'Custom Scan' ||
              (node['Relation Name'] !== undefined && !own.has(node['Relation Name'])),
          )
          assert.deepEqual(strange, [], `${at}\n${text}`)
          planned++
        }
      assert.ok(planned > 500, String(planned))
    } finally {
      await client.end()
    }
    const [plan] = await cluster.coordinator.ask<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (format json, verbose) select run_here('${near.company.id}', 'x', 'select null::text', '{}', null, false)`,
    )
    const [{ Plan }] = plan!['QUERY PLAN'] as [{ Plan: PlanNode }]
    assert.match(JSON.stringify(Plan), new RegExp(`${await portOf(near)}`))
  })

  test('more transactions than there are connections begin at once, and none waits for another', async () => {
    const db = openOnCitus(cluster.url)
    const loaded = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        db.transaction((tx) => loadDirectory(tx, tenants[i % 2]!.company.id)),
      ),
    )
    await db.close()
    assert.equal(new Set(loaded.map(({ installerId }) => installerId)).size, 2)
  })

  test('doctor finds nothing wrong', async () => {
    const { code, stdout, stderr } = await sunstead(['doctor'], env)
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /nodes +ok +2 reached/)
  })

  test('a worker that is added and takes its share under load loses and refuses nothing', async () => {
    await cluster.add(cluster.workers[2]!)
    let moving = true
    const answered = new Map(tenants.map((tenant) => [tenant, new Set<string>()]))
    const writers = tenants.flatMap((tenant) =>
      [1, 2, 3].map(async (writer) => {
        for (let i = 0; moving; i++) {
          const id = `moved-${writer}-${i}`
          const { status, body } = await create(tenant, id)
          assert.equal(status, 201, JSON.stringify(body))
          answered.get(tenant)!.add(id)
        }
      }),
    )
    const readers = tenants.map(async (tenant) => {
      while (moving) assert.equal((await list(tenant)).status, 200)
    })
    const moved = cluster.coordinator
      .ask(`select rebalance_table_shards(shard_transfer_mode => 'force_logical')`)
      .finally(() => {
        moving = false
      })
    await Promise.all([moved, ...writers, ...readers])
    const placed = await cluster.coordinator.ask<{ n: number }>(
      `select count(distinct p.groupid)::int as n from pg_dist_placement p join pg_dist_shard s using (shardid)
        where s.logicalrelid = 'tenant_clocks'::regclass`,
    )
    assert.deepEqual(placed, [{ n: 3 }])
    for (const [{ company }, ids] of answered) {
      const there = await cluster.coordinator.ask<{ id: string }>(
        `select external_id as id from leads where installer_id = '${company.id}' and external_id like 'moved-%'`,
      )
      assert.deepEqual(there.map(({ id }) => id).toSorted(), [...ids].toSorted())
      assert.ok(ids.size > 10)
    }
  })

  /** Ends well before the runner's own limit, also where it hangs. */
  const isolate = ({ company }: Actors) =>
    sunstead(['tenant', 'isolate', String(company.number), '--limit', '5', '--json'], env)

  test('an installer is put on a node of its own by one command, and goes on there', async () => {
    const [near] = tenants
    const refused = await isolate(near)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /Each node has other tenants\. Add one/)
    await cluster.add(cluster.workers[3]!)
    const release = await holdShard(near)
    const waited = await isolate(near)
    await release()
    assert.equal(waited.code, 1)
    assert.match(waited.stderr, /writes of other tenants wait for it.*waits for process \d+ \(somebody/s)
    // What was begun is gone, and it can be begun again; the second time finds it done.
    for (let times = 0; times < 2; times++) {
      const done = await isolate(near)
      assert.equal(done.code, 0, done.stderr)
      assert.equal(JSON.parse(done.stdout).node, `127.0.0.1:${cluster.workers[3]!.port}`)
    }
    assert.equal(await portOf(near), cluster.workers[3]!.port)
    const alone = await cluster.coordinator.ask(
      `select from pg_dist_placement p join pg_dist_shard s using (shardid) join pg_dist_node n using (groupid)
        where s.logicalrelid = 'tenant_clocks'::regclass and n.nodeport = ${cluster.workers[3]!.port}`,
    )
    assert.equal(alone.length, 1)
    for (const tenant of tenants) assert.equal((await create(tenant, 'isolated')).status, 201)
    assert.equal((await list(near)).body.data[0].externalId, 'isolated')
  })

  test('a database that has data is spread in place: its rows leave the coordinator, and a server that goes on ends', async () => {
    const urlAt = (port: number, user = 'owner') => `postgres://${user}@127.0.0.1:${port}/grown`
    const { coordinator, workers } = cluster
    const nodes = [coordinator, ...workers.slice(0, 2)]
    for (const node of nodes) await node.ask('create database grown')
    const url = urlAt(coordinator.port)
    const dataDir = join((await temporaryFolder()).path, 'data')
    const before = await startProcess({ ...env, DATABASE_URL: url, DATA_DIR: dataDir })
    const plain = openDatabase(url, () => {})
    const { installer } = await createWorld(plain)
    await lead(installer)
    await plain.close()

    for (const { port } of nodes)
      await within(urlAt(port), (client) => client.query('create extension citus'))
    await within(url, async (client) => {
      await client.query(`select citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port])
      for (const { port } of workers.slice(0, 2))
        await client.query(`select citus_add_node('127.0.0.1', $1)`, [port])
    })
    const ended = once(before.child, 'exit')
    const { code, stderr } = await sunstead(['migrate'], { ...env, DATABASE_URL: url, DATA_DIR: dataDir })
    assert.equal(code, 0, stderr)
    assert.match(stderr, /spreading \d+ tables over the nodes/)
    assert.deepEqual((await ended)[0], 1)
    assert.match(before.output(), /The tenants have been spread over the nodes of a cluster\. Start again\./)

    const left = await within(url, (client) =>
      client.query(`select logicalrelid::text as name from pg_dist_partition cross join pg_partition_tree(logicalrelid)
        where partmethod in ('h', 'n') and isleaf and repmodel <> 's' and pg_relation_size(relid) > 0`),
    )
    assert.deepEqual(left.rows, [])
    const after = await startProcess({ ...env, DATABASE_URL: url, DATA_DIR: dataDir })
    const answer = await request(`${after.url}/v1/leads`, {
      headers: { authorization: `Bearer ${installer.key}` },
    })
    const { data } = (await answer.body.json()) as { data: unknown[] }
    assert.deepEqual([answer.statusCode, data.length], [200, 1])
    await after.end('SIGTERM')
    // What was not to be emptied is so again.
    await within(url, async (client) => {
      for (const table of ['events', 'security_events'])
        await assert.rejects(client.query(`truncate ${table}`), /is only added to/)
    })

    await coordinator.ask('create role app login in role owner')
    const asApp = { ...env, DATABASE_URL: urlAt(coordinator.port, 'app'), DATA_DIR: dataDir }
    const refused = await sunstead(['tenant', 'isolate', String(installer.company.number)], asApp)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /Only a superuser may say what a node takes/)
    const [first] = workers as [PostgresServer]
    const startWith = async (level: string) => {
      await first.ask(`alter system set wal_level = ${level}`)
      await first.kill('SIGINT')
      await first.start()
    }
    await startWith('replica')
    const unfit = await sunstead(['tenant', 'isolate', String(installer.company.number)], {
      ...env,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
    })
    await startWith('logical')
    assert.equal(unfit.code, 1)
    assert.match(unfit.stderr, /wal_level is replica: .* Set wal_level = logical on every node/)
  })

  test('a later migration makes tables, columns and indexes on all nodes, beside what is there', async () => {
    const folder = await temporaryFolder()
    await cp(join(root, 'migrations'), folder.path, { recursive: true })
    await writeFile(join(folder.path, '900001_later.sql'), laterMigration)
    await writeFile(join(folder.path, '900002_indexes.sql'), laterIndexes)
    assert.deepEqual(await migrate(cluster.url, { folder: folder.path }), [
      '900001_later.sql',
      '900002_indexes.sql',
    ])
    const [{ kinds }] = (await cluster.coordinator.ask(
      `select json_object_agg(logicalrelid::text, partmethod) as kinds from pg_dist_partition
        where logicalrelid::text in ('lead_scores', 'score_names')`,
    )) as [{ kinds: object }]
    assert.deepEqual(kinds, { lead_scores: 'h' })
    for (const tenant of tenants) {
      const { status, body } = await create(tenant, 'migrated')
      assert.equal(status, 201)
      const id = tenant.company.id
      await cluster.coordinator.ask(`insert into lead_scores (installer_id, lead_id, day, points)
        values ('${id}', '${body.leadId}', '1999-01-01', 5)`)
      await assert.rejects(
        cluster.coordinator.ask(`update lead_scores set points = 6 where installer_id = '${id}'`),
        /a score of the past stays/,
      )
      await assert.rejects(
        cluster.coordinator.ask(`insert into lead_scores (installer_id, lead_id, day, points)
          values ('${id}', 'nobody', '2026-01-01', 5)`),
        /foreign key/,
      )
      await assert.rejects(
        cluster.coordinator.ask(`update leads set score = -1 where installer_id = '${id}'`),
        /leads_score_positive/,
      )
    }
    const broken = await cluster.coordinator.ask(
      `select result from run_command_on_workers($$select count(*) from pg_index where not indisvalid$$)
        where result <> '0'`,
    )
    assert.deepEqual(broken, [])
    const [{ n }] = (await cluster.coordinator.ask(
      `select sum(result::int)::int as n from run_command_on_workers(
        $$select count(*) from pg_class where relkind = 'i' and relname ~ '^leads_by_score_\\d+$'$$)`,
    )) as [{ n: number }]
    const [{ shards }] = (await cluster.coordinator.ask(
      `select count(*)::int as shards from pg_dist_shard where logicalrelid = 'leads'::regclass`,
    )) as [{ shards: number }]
    assert.equal(n, shards)
  })
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PlanNode[]
}

function planNodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(planNodes)]
}
