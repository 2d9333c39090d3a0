import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWriteRoutes } from '../../src/cluster/write-routes.ts'
import { DatabaseUnavailable, isUniqueViolation } from '../../src/platform/database-errors.ts'
import type { Database, Statement } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const folder = await mkdtemp(join(tmpdir(), 'sunstead-routes-'))
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})
await database.db.execute(
  'create table written (tenant text, n int, at timestamptz, raw bytea, unique (tenant, n))',
)

const insert: Statement = {
  text: 'insert into written (tenant, n, at, raw) values ($1, $2, $3, $4) returning n, at, raw, $5::text[] as texts',
  shared: 'write',
}
const at = new Date('2026-03-04T05:06:07.890Z')
let last = 1_000

/** A process of the host, as far as its writes go: `done` are those that it did itself. */
function startProcess(number: number) {
  const done: unknown[] = []
  const db: Pick<Database, 'query'> = {
    query: (statement, values) => {
      done.push(values[0])
      return database.db.query(statement, values)
    },
  }
  const routes = startWriteRoutes({ folder, number, count: 2, db, log: createLog('silent') })
  const write = async (tenant: string, n = ++last): Promise<object[]> => {
    const values = [tenant, n, at, Buffer.from([0, 255, n % 256]), ['a', 'b"']]
    return routes.route(tenant, insert, values) ?? db.query<object>(insert, values)
  }
  return { done, write, ...routes }
}

// Of two processes 'a' is the second's, 'b' the first's.
const ownerOf = { a: 2, b: 1 } as const

/** Until one has found the other, it writes by itself. */
async function untilRouted(write: () => Promise<unknown>, done: unknown[]): Promise<void> {
  for (const before = done.length; done.length === before; ) {
    await write()
    await sleep(10)
  }
}

test('each tenant’s writes are one process’s, wherever they came, with their values and their errors', async () => {
  const processes = { 1: startProcess(1), 2: startProcess(2) }
  await untilRouted(() => processes[1].write('a'), processes[2].done)
  await untilRouted(() => processes[2].write('b'), processes[1].done)
  for (const { done } of Object.values(processes)) done.length = 0

  for (const tenant of ['a', 'b'] as const) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => processes[i % 2 ? 1 : 2].write(tenant, i)),
    )
    assert.deepEqual(answers[7], [{ n: 7, at, raw: Buffer.from([0, 255, 7]), texts: ['a', 'b"'] }])
    assert.deepEqual(processes[ownerOf[tenant]].done, Array(50).fill(tenant))
    processes[ownerOf[tenant]].done.length = 0
  }
  assert.deepEqual(await database.rows('select count(*)::int as n from written where n < 50'), [{ n: 100 }])
  for (const number of [1, 2] as const)
    await assert.rejects(processes[number].write('a', 7), (error) =>
      isUniqueViolation(error, 'written_tenant_n_key'),
    )
  await Promise.all([processes[1].close(), processes[2].close()])
})

test('what was handed to a process that is killed is not done again; what comes then is done here, until it is back', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/silent-owner.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const asked = once(child.stdout, 'data').then(() => true)
  const one = startProcess(1)
  let handed: Promise<unknown> = Promise.resolve()
  for (let isAsked = false; !isAsked; ) {
    handed = one.write('a')
    isAsked = await Promise.race([asked, handed.then(() => sleep(20)).then(() => false)])
  }
  const refused = assert.rejects(handed, DatabaseUnavailable)
  child.kill('SIGKILL')
  await refused
  one.done.length = 0
  await one.write('a')
  assert.deepEqual(one.done, ['a'])

  const two = startProcess(2)
  await untilRouted(() => one.write('a'), two.done)
  one.leave()
  one.done.length = 0
  await one.write('a')
  assert.deepEqual(one.done, ['a'], 'who leaves writes by itself')
  await Promise.all([one.close(), two.close()])
})
