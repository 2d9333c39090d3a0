import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { createDatabase, dropDatabase, openTestDatabase, withDatabase } from '../support/database.ts'
import { root, type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

/** The last commit before several servers shared a database: what it wrote, and how, is what a newer one must live with. */
const before = 'b77c6492bb0dbb5d0b20f475486472336f813b9a'
const isThere = spawnSync('git', ['cat-file', '-e', `${before}^{commit}`], { cwd: root }).status === 0
const skip = isThere ? false : `the commit ${before} is not in this clone`

const folder = await temporaryFolder()
// Empty: the version before makes it, and does not start on a newer one.
const name = `rolling_${process.pid}`
const url = withDatabase(process.env.TEST_DATABASE_URL!, name)
await createDatabase(name)
const db = openTestDatabase(url)
const servers: ServerProcess[] = []
after(async () => {
  for (const server of servers)
    if (server.child.exitCode === null && !server.child.killed) server.child.kill('SIGKILL')
  await db.close()
  await dropDatabase(name)
  await folder.remove()
})

/** The program as it was then, with what is installed now. */
function checkOut(): string {
  const old = join(folder.path, 'before')
  mkdirSync(old)
  const archive = execFileSync(
    'git',
    ['archive', before, 'src', 'bin', 'migrations', 'openapi', 'package.json', 'test/support'],
    {
      cwd: root,
      maxBuffer: 100_000_000,
    },
  )
  execFileSync('tar', ['-x', '-C', old], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(old, 'node_modules'))
  // It showed its reference by a package that is not installed any more; nobody asks it for that.
  const gone = join(folder.path, 'node_modules/swagger-ui-dist')
  mkdirSync(gone, { recursive: true })
  writeFileSync(join(gone, 'package.json'), '{}')
  return old
}

async function start(name: string, program = root): Promise<ServerProcess> {
  const server = await startProcess(
    {
      DATABASE_URL: url,
      DATA_DIR: join(folder.path, name),
      DEMO: '0',
      SECRET_KEY: 'the same for all servers of one database',
      RATE_LIMIT_PER_MINUTE: '0',
      // Longer than the balancer takes to hear of it, on a busy machine too.
      DRAIN_SECONDS: '4',
    },
    [process.execPath, join(program, 'bin/sunstead.js'), 'serve'],
    program,
  )
  servers.push(server)
  return server
}

const address = { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' }

/** Integrators who create, change and read all the time, through a balancer that asks who is ready. */
function startLoad(origins: Set<string>, key: string) {
  const agent = new Agent({ connections: 16 })
  const ready = new Set(origins)
  const failures: string[] = []
  const created = new Map<string, string>()
  const answered = new Map<string, number>()
  const ended = new AbortController()

  const watching = (async () => {
    while (!ended.signal.aborted) {
      await Promise.all(
        [...origins].map(async (origin) => {
          const status = await agent.request({ origin, path: '/readyz', method: 'GET' }).then(
            ({ statusCode, body }) => body.dump().then(() => statusCode),
            () => 0,
          )
          if (status === 200) ready.add(origin)
          else ready.delete(origin)
        }),
      )
      for (const origin of ready) if (!origins.has(origin)) ready.delete(origin)
      await sleep(50)
    }
  })()

  async function call(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    sent?: object,
  ): Promise<{ leadId: string } | null> {
    const all = [...ready]
    const origin = all[Math.floor(Math.random() * all.length)]!
    try {
      const answer = await agent.request({
        origin,
        path,
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(sent ? { 'content-type': 'application/json' } : {}),
        },
        body: sent ? JSON.stringify(sent) : null,
      })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${text}`)
      answered.set(origin, (answered.get(origin) ?? 0) + 1)
      return JSON.parse(text)
    } catch (error) {
      failures.push(`${method} ${path} at ${origin}: ${(error as Error).message}`)
      return null
    }
  }

  const integrators = Array.from({ length: 6 }, async (_, n) => {
    for (let i = 0; !ended.signal.aborted; i++) {
      const externalId = `rolling-${n}-${i}`
      const lead = await call('POST', '/v1/leads', {
        firstName: 'Roll',
        lastName: `${n} ${i}`,
        externalId,
        address,
      })
      if (!lead) continue
      created.set(externalId, lead.leadId)
      await call('PATCH', `/v1/leads/${lead.leadId}`, { notes: `note ${i}` })
      await call('GET', '/v1/leads?limit=5')
      // Without a pause they would take from the servers that start meanwhile what those need.
      await sleep(20)
    }
  })
  return {
    failures,
    created,
    ready,
    answered: (origin: string) => answered.get(origin) ?? 0,
    async stop() {
      ended.abort()
      await Promise.all([watching, ...integrators])
      await agent.destroy()
    },
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10)
}

test('servers of the version before are replaced one by one under load, and no call fails', {
  skip,
}, async () => {
  const old = checkOut()
  const [first, second] = [await start('one', old), await start('two', old)]
  const origins = new Set([first.url, second.url])
  // By the program as it was: this one may write what that schema has not got yet.
  const { createWorld }: typeof import('../support/factories.ts') = await import(
    join(old, 'test/support/factories.ts')
  )
  const { installer } = await createWorld(db)
  const load = startLoad(origins, installer.key)
  for (const gone of [first, second]) {
    await until(() => load.answered(gone.url) > 20)
    const fresh = await start(`${servers.length}`)
    origins.add(fresh.url)
    await until(() => load.answered(fresh.url) > 20)
    assert.equal((await gone.end('SIGTERM')).code, 0, gone.output())
    origins.delete(gone.url)
  }
  await load.stop()
  assert.deepEqual(load.failures.slice(0, 5), [])
  const rows = await db.query<{ id: string; external: string }>(
    { text: `select id, external_id as external from leads where external_id like 'rolling-%'` },
    [],
  )
  assert.deepEqual(new Map(rows.map(({ id, external }) => [external, id])), load.created)
  assert.equal(rows.length, load.created.size, 'each is there once')
})
