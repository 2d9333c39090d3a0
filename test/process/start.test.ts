import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serverFlags, serverMemory } from '../../bin/as-server.js'
import { sunstead } from '../support/commands.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { root, run, startProcess, temporaryFolder, userEnvironment } from '../support/process.ts'
import { reservePort } from '../support/reserved-port.ts'

const folder = await temporaryFolder()
const databases: TestDatabase[] = []
after(async () => {
  for (const database of databases) await database.drop()
  await folder.remove()
})

const command = [process.execPath, join(root, 'bin/sunstead.js'), 'serve']

async function freshDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  databases.push(database)
  return database
}

let folders = 0
const environment = (url: string, more: Record<string, string> = {}) => ({
  PORT: '0',
  DEMO: '0',
  LOG_LEVEL: 'warn',
  SECRET_KEY: 'the same for every start on one database',
  DATABASE_URL: url,
  DATA_DIR: join(folder.path, String(folders++)),
  ...more,
})

/** Ends by itself, with a status and words that are meant for people. */
async function assertEnds(env: Record<string, string>, sentence: RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(command, env)
  assert.equal(code, 1, stdout + stderr)
  assert.match(stderr, sentence)
  assert.doesNotMatch(stderr, /^ {4}at /m)
  assert.doesNotMatch(stdout, /ready at/)
}

test('a database that is newer, or that a migration fails on, ends the start and every command', async () => {
  const [newer, broken] = await Promise.all([freshDatabase(), freshDatabase()])
  await newer.db.execute(`insert into migrations (name, checksum) values ('999999_later.sql', '')`)
  await broken.db.execute('delete from migrations')
  const refused = /newer than this version of Sunstead .* does not know 999999_later\.sql\. Start the version/
  await Promise.all([
    assertEnds(environment(newer.url), refused),
    assertEnds(environment(broken.url), /^The migration 000001_\w+\.sql, line \d+ failed: /m),
  ])
  for (const args of [['migrate'], ['company', 'list'], ['doctor']]) {
    const { code, stdout, stderr } = await sunstead(args, environment(newer.url))
    assert.equal(code, 1)
    assert.match(stdout + stderr, refused)
  }
})

test('what fails after it listens ends it all the same', async () => {
  const database = await freshDatabase()
  await createWorld(database.db)
  const env = environment(database.url)
  await mkdir(join(env.DATA_DIR, 'demo.json'), { recursive: true })
  await assertEnds(env, /^Sunstead cannot use .*demo\.json|EISDIR/m)
  const file = join(folder.path, 'a file where a folder should be')
  await writeFile(file, '')
  await assertEnds(
    environment(database.url, { STORAGE_URL: `file:${file}/files` }),
    /^Sunstead cannot use .* Let the user who starts it write there/m,
  )
})

test('a DATABASE_URL that its server refuses is not waited for', async () => {
  const { url } = await freshDatabase()
  await Promise.all([
    assertEnds(
      environment(url.replace(/\/(?=[^/]*$)[^?]*/, '/nowhere')),
      /^DATABASE_URL cannot be used: .*nowhere/m,
    ),
    assertEnds(
      environment(url.replace(/^(\w+:\/\/[^:]+:)[^@]*@/, '$1wrong@')),
      /^DATABASE_URL cannot be used: .* Correct the user or the password in it\./m,
    ),
  ])
})

test('a database that comes late is waited for; a stop does not wait for it', async () => {
  const { url } = await freshDatabase()
  const late = await reservePort(url)
  const child = spawn(command[0]!, command.slice(1), {
    cwd: root,
    env: userEnvironment(environment(late.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  assert.match(String(line), /cannot be reached yet .*ECONNREFUSED.*waiting for it/)
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)

  const starting = startProcess(environment(late.url))
  // The other waits as well by now, or soon.
  await late.open()
  const server = await starting
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  assert.equal((await server.end('SIGTERM')).code, 0)
  late.close()
})

test('every process of a server runs with what keeps its memory small, and with what somebody has set', {
  skip: process.platform !== 'linux' && 'only Linux tells how a process was started',
}, async () => {
  const { url } = await freshDatabase()
  const own = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=4' }
  const server = await startProcess(environment(url, { WEB_CONCURRENCY: '2', ...own }), command)
  const { pid } = server.child
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  assert.equal(children.length, 2)
  for (const each of [pid, ...children]) {
    const flags = (await readFile(`/proc/${each}/cmdline`, 'utf8')).split('\0')
    assert.deepEqual(
      flags.filter((flag) => flag.startsWith('--')),
      serverFlags.filter((flag) => !flag.startsWith('--max-semi-space-size')),
    )
    const settings = (await readFile(`/proc/${each}/environ`, 'utf8')).split('\0')
    for (const [name, value] of Object.entries({ ...serverMemory, ...own }))
      assert.ok(settings.includes(`${name}=${value}`), `${name} is not ${value}`)
  }
  assert.equal((await server.end('SIGTERM')).code, 0)
})
