import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative, resolve } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sunstead } from '../support/commands.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { dropDatabase, onServer, withDatabase } from '../support/database.ts'
import type { Actors } from '../support/factories.ts'
import { newProject } from '../support/new-project.ts'
import {
  root,
  type ServerProcess,
  startProcess,
  temporaryFolder,
  userEnvironment,
} from '../support/process.ts'
import { pdf } from '../support/sample-files.ts'
import { startPlainReceiver, verify } from '../support/webhook-receiver.ts'

const folder = await temporaryFolder()
const receiver = await startPlainReceiver()
const files = createServer((_request, response) => response.end(pdf))
files.listen(0, '127.0.0.1')
await once(files, 'listening')
const filesHost = `127.0.0.1:${(files.address() as AddressInfo).port}`
const backups = join(folder.path, 'backups')
const common = {
  DEMO: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  OUTBOUND_TRUSTED_HOSTS: `${receiver.host},${filesHost}`,
}
const env = { ...common, DATA_DIR: join(folder.path, 'data') }
const database = `restored_${process.pid}_${randomBytes(4).toString('hex')}`
const onDatabaseUrl = {
  ...common,
  DATA_DIR: join(folder.path, 'elsewhere'),
  DATABASE_URL: withDatabase(process.env.TEST_DATABASE_URL!, database),
}
after(async () => {
  files.close()
  await receiver.close()
  await dropDatabase(database)
  await folder.remove()
})

// biome-ignore lint/suspicious/noExplicitAny: what a command prints is what the tests find out
async function output(args: string[], on: Record<string, string> = env): Promise<any> {
  const { code, stdout, stderr } = await sunstead([...args, '--json'], on)
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
async function call(server: ServerProcess, key: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  assert.ok(
    answer.status < 300,
    `${path}: ${answer.status} ${answer.status < 300 ? '' : await answer.text()}`,
  )
  return answer.json()
}

const address = { line1: '1 A St', city: 'B', state: 'CA', postalCode: '90001' }
const leadOf = (number: number) => ({ externalId: `k-${number}`, firstName: 'A', lastName: 'B', address })

async function leadsSince(server: ServerProcess, key: string, since?: string) {
  const leads: { externalId: string; updatedAt: string }[] = []
  for (let next: string | null = ''; next !== null; ) {
    const query: string = `limit=100${since ? `&updatedSince=${since}` : ''}${next ? `&cursor=${encodeURIComponent(next)}` : ''}`
    const page = await call(server, key, `/v1/leads?${query}`)
    leads.push(...page.data)
    next = page.next
  }
  return leads
}

const numbersOf = (leads: { externalId: string }[]) =>
  leads
    .filter(({ externalId }) => externalId?.startsWith('k-'))
    .map(({ externalId }) => Number(externalId.slice(2)))
    .sort((a, b) => a - b)

async function assertHealthy(on: Record<string, string>): Promise<void> {
  const { code, stdout } = await sunstead(['doctor'], on)
  assert.equal(code, 0, stdout)
}

/** As kill -9 of everything and rm -rf do, with PostgreSQL, which lives on without its server. */
async function destroy(server: ServerProcess, dataDir: string): Promise<void> {
  const exited = once(server.child, 'exit')
  server.child.kill('SIGKILL')
  await exited
  const postmaster = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]
  process.kill(Number(postmaster), 'SIGQUIT')
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

test('a DATA_DIR that is gone comes back from a backup that was made while it was written to', async () => {
  const { number, key } = await makeDataDir(env.DATA_DIR)
  let server = await startProcess(env)
  const hook = await call(server, key, '/catalog/v1/webhooks', {
    url: `${receiver.url}/hook`,
    events: ['lead.created'],
  })
  const sale = newProject({ company: { number } } as Actors)
  const projectId = (await call(server, key, '/legacy/create_project', sale)).data.project_id
  await call(server, key, `/v1/projects/${projectId}/files`, {
    folder: 'contract',
    files: [{ url: `http://${filesHost}/contract.pdf` }],
  })
  const filePath = async () => {
    const { files } = await call(server, key, `/v1/projects/${projectId}`)
    return new URL(files.contract[0]).pathname
  }
  const path = await filePath()

  // One caller goes on writing until the server dies: what the backup holds is a moment of it.
  let written = 0
  let lastId = ''
  const writing = (async () => {
    for (;;) {
      lastId = (await call(server, key, '/v1/leads', leadOf(written))).leadId
      written++
      // More of them would be more to restore, and prove nothing more.
      await sleep(20)
    }
  })().catch(() => {})
  while (written < 20) await sleep(5)
  const before = written
  const made = await output(['backup', '--to', backups])
  assert.deepEqual([made.files, made.copied, made.secretKey], [1, 1, true])
  const afterwards = written
  assert.ok(afterwards > before, 'the server was written to meanwhile')
  assert.match((await sunstead(['restore', '--from', backups, '--force'], env)).stderr, /in use by another/)
  const { updatedAt: lastSeen } = await call(server, key, `/v1/leads/${lastId}`)
  await destroy(server, env.DATA_DIR)
  await writing

  const restored = await output(['restore', '--from', backups])
  assert.deepEqual([restored.rows, restored.files], [made.rows, 1])
  assert.equal((await stat(join(env.DATA_DIR, 'secret.key'))).mode & 0o777, 0o600)
  server = await startProcess(env)
  const numbers = numbersOf(await leadsSince(server, key))
  assert.deepEqual(numbers, [...numbers.keys()], 'everything up to one moment, and nothing after it')
  assert.ok(numbers.length >= before && numbers.length <= afterwards + 1, `${numbers.length} leads`)
  const file = await fetch(server.url + path)
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), pdf)
  assert.equal(await filePath(), path)

  // A client goes on from where it was, and a webhook signs with the secret that its receiver knows.
  receiver.received.length = 0
  await call(server, key, '/v1/leads', leadOf(1_000_000))
  assert.deepEqual(numbersOf(await leadsSince(server, key, lastSeen)), [1_000_000])
  const told = () => receiver.received.some(({ body }) => body.includes('k-1000000'))
  await receiver.until(told, 'the webhook')
  for (const received of receiver.received) verify(received, hook.secret)
  await assertHealthy(env)
  await server.end('SIGTERM')
})

/** What the restored database holds, by what a stranger to the program can ask. */
async function recordsThere(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(`select count(*), max(id), max(updated_at), max(xmin::text) from leads`)
  return rows[0]
}

test('a restore that is killed before its end changes nothing, and without its key it is not served', async (t) => {
  await onServer(`create database ${database}`)
  await output(['restore', '--from', backups], onDatabaseUrl)
  await assertHealthy(onDatabaseUrl)
  const client = new pg.Client({ connectionString: onDatabaseUrl.DATABASE_URL })
  await client.connect()
  t.after(() => client.end())
  const was = await recordsThere(client)
  // Waiting jobs are the last that a restore replaces: who holds them has it stand still with all rows in.
  await client.query('begin')
  await client.query('lock table graphile_worker._private_jobs in share mode')
  const restoring = spawn(
    process.execPath,
    [join(root, 'bin/sunstead.js'), 'restore', '--from', backups, '--force'],
    { env: userEnvironment(onDatabaseUrl), stdio: 'ignore' },
  )
  const ended = once(restoring, 'exit')
  const standing = `select pid from pg_stat_activity where datname = current_database()
    and application_name = 'sunstead-restore' and wait_event_type = 'Lock' and query like 'delete from graphile_worker.%'`
  let pid: number | undefined
  while (pid === undefined && restoring.exitCode === null) {
    await client.query('select pg_stat_clear_snapshot()')
    pid = (await client.query<{ pid: number }>(standing)).rows[0]?.pid
    await sleep(20)
  }
  assert.notEqual(pid, undefined, 'the restore never came to its last step')
  restoring.kill('SIGKILL')
  await ended
  await client.query('commit')
  while ((await client.query('select from pg_stat_activity where pid = $1', [pid])).rowCount) await sleep(20)
  assert.deepEqual(await recordsThere(client), was)

  const withoutKey = join(folder.path, 'without-key')
  const made = await output(['backup', '--to', withoutKey, '--without-key'], onDatabaseUrl)
  assert.equal(made.secretKey, false)
  const another = { ...onDatabaseUrl, DATA_DIR: join(folder.path, 'another') }
  const { code, stderr } = await sunstead(['restore', '--from', withoutKey, '--force'], another)
  assert.equal(code, 1)
  assert.match(stderr, /Everything is back but the key/)
  await assert.rejects(startProcess(another), /secret\.key is missing or does not hold the key/)
})

test('a backup of a PostgreSQL of one’s own comes back embedded, below a folder that nobody enters, without who was erased since', async () => {
  const to = join(folder.path, 'of-a-server')
  await output(['backup', '--to', to], onDatabaseUrl)
  const [company] = await output(['company', 'list'], onDatabaseUrl)
  const client = new pg.Client({ connectionString: onDatabaseUrl.DATABASE_URL })
  await client.connect()
  const { rows: leads } = await client.query<{ id: string }>(
    `select id from leads where erased_at is null and project_id is null order by id limit 2`,
  )
  await client.end()
  const [first, second] = leads.map(({ id }) => id)
  const erase = ['customer', 'erase', '--company', company.id, '--lead', first!, '--yes']
  assert.deepEqual(await output(erase, onDatabaseUrl), { erased: first })
  await output(['backup', '--to', to], onDatabaseUrl)

  // Root's PostgreSQL runs as somebody who cannot enter here, and so lives elsewhere.
  const shut = join(folder.path, 'shut')
  await mkdir(shut, { mode: 0o700 })
  const inside = { ...common, DATA_DIR: join(shut, 'data') }
  const older = join(to, (await readdir(to)).filter((name) => name.startsWith('20')).sort()[0]!)
  const restored = await output(['restore', '--from', older], inside)
  assert.equal(restored.erasedAgain, 1)
  const clusterOf = async () =>
    resolve(
      inside.DATA_DIR,
      JSON.parse(await readFile(join(inside.DATA_DIR, 'postgres.json'), 'utf8')).cluster as string,
    )
  const isOutside = relative(inside.DATA_DIR, await clusterOf()).startsWith('..')
  assert.equal(isOutside, process.getuid?.() === 0)

  // Whatever way an older database came: who is on the list is erased before anybody is served.
  const line = { installerId: company.id, companyId: company.id, leadId: second, reason: 'request' }
  await appendFile(join(inside.DATA_DIR, 'erased-leads.ndjson'), `${JSON.stringify(line)}\n`)
  const { key } = await output(['key', 'create', '--company', company.id, '--name', 'after'], inside)
  const server = await startProcess(inside)
  for (const id of [first, second])
    assert.equal((await call(server, key, `/v1/leads/${id}`)).customer.firstName, null, `${id} is back`)
  const count = (await leadsSince(server, key)).length
  const again = join(folder.path, 'of-the-shut')
  await output(['backup', '--to', again], inside)
  const exited = once(server.child, 'exit')
  server.child.kill('SIGKILL')
  await exited
  const cluster = await clusterOf()
  const postmaster = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]
  process.kill(Number(postmaster), 'SIGQUIT')
  for (const gone of [inside.DATA_DIR, cluster])
    await rm(gone, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  assert.equal((await output(['restore', '--from', again], inside)).erasedAgain, 0)
  const back = await startProcess(inside)
  assert.equal((await leadsSince(back, key)).length, count)
  await assertHealthy(inside)
  await back.end('SIGTERM')
  await rm(await clusterOf(), { recursive: true, force: true })
})
