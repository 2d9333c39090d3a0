import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../../../src/config.ts'
import { sweepFiles } from '../../../src/domain/deals/files/sweep-files.ts'
import { createLog } from '../../../src/platform/log.ts'
import { processJobs } from '../../../src/recurring-jobs.ts'
import { startServer } from '../../../src/server.ts'
import { type App, startApp } from '../../support/app.ts'
import { sunstead } from '../../support/commands.ts'
import {
  createTestDatabase,
  dropDatabase,
  onServer,
  secretKey,
  withDatabase,
} from '../../support/database.ts'
import { createWorld, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { addPerson, signedIn } from '../../support/people.ts'
import { startS3 } from '../../support/s3-server.ts'
import { pdf, png } from '../../support/sample-files.ts'

// Two hosts: two data folders, one database, one store.
const large = Buffer.concat([png, randomBytes(17 * 1024 * 1024)])
const outside = await startHttpsServer((request, response) =>
  response.end(request.url!.includes('large') ? large : request.url!.includes('.png') ? png : pdf),
)
after(() => outside.close())
const s3 = await startS3()
const database = await createTestDatabase()
after(() => database.drop())
const env = {
  ...s3.env,
  STORAGE_URL: s3.env.STORAGE_URL!,
  OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}`,
}
const host = (more: Record<string, string> = {}) =>
  startApp({ database, env: { ...env, ...more }, outside: { ca: outside.ca } })
const [a, b] = [await host(), await host()]
const { installer } = await createWorld(database.db)
const { key } = installer
const { projectId } = await project(installer)

let added = 0
const add = (app: App, path: string) =>
  app.call('POST', `/v1/projects/${projectId}/files`, {
    key,
    body: { folder: 'other', files: [{ url: `${outside.url}${path}?${++added}` }] },
  })
/** The path of the newest address. */
async function newest(app: App): Promise<string> {
  const { files } = (await app.get(`/v1/projects/${projectId}`, key)).body
  return new URL(files.other.at(-1)).pathname
}
async function addedBy(app: App, path: string): Promise<string> {
  const answer = await add(app, path)
  assert.equal(answer.status, 201, answer.text)
  return newest(app)
}

test('a file that one host was given is read through the other: all, parts, thumbnail, and not after it is revoked', async () => {
  const path = await addedBy(a, '/roof.png')
  const whole = await b.send('GET', path)
  assert.equal(whole.status, 200)
  assert.deepEqual(Buffer.from(whole.bytes), png)
  assert.equal(whole.headers['content-type'], 'image/png')
  assert.match(whole.headers['content-security-policy']!, /sandbox/)
  assert.equal(whole.headers['x-content-type-options'], 'nosniff')
  const part = await b.send('GET', path, { headers: { range: 'bytes=1-3' } })
  assert.equal(part.status, 206)
  assert.equal(part.text, 'PNG')
  assert.equal(part.headers['content-range'], `bytes 1-3/${png.length}`)
  const known = await b.send('GET', path, { headers: { 'if-none-match': whole.headers.etag! } })
  assert.equal(known.status, 304)
  const head = await b.send('HEAD', path)
  assert.equal(head.headers['content-length'], String(png.length))
  const small = await b.send('GET', path.replace('/files/', '/thumbnails/'))
  assert.equal(small.headers['content-type'], 'image/webp')

  const big = await addedBy(a, '/large.png')
  assert.ok(large.equals((await b.send('GET', big)).bytes))

  const admin = await signedIn(b, await addPerson(b, installer.company.id, 'admin'))
  const { folders } = (await admin.get(`/projects/${projectId}`)).body
  const held = (await s3.names()).length
  for (const { id } of folders.flatMap((folder: { files: { id: string }[] }) => folder.files))
    assert.ok((await admin.call('DELETE', `/projects/${projectId}/files/${id}`)).status < 300)
  assert.equal((await a.send('GET', path)).status, 404)
  assert.equal((await s3.names()).length, held - 2)
  assert.deepEqual(await a.storedFiles(), [])
  assert.deepEqual(await b.storedFiles(), [])
})

test('a table that was sent to one host is imported by the other', async () => {
  const c = await host()
  const admin = await signedIn(c, await addPerson(c, installer.company.id, 'owner'))
  const rows = Array.from({ length: 30 }, (_, i) => `several-${i},Ada,Moreno,1 Market St,San Diego,CA,92101`)
  const sent = await c.send('PUT', '/console/api/imports?name=leads.csv', {
    raw: ['External ID,First Name,Last Name,Street,City,State,Zip', ...rows, 'bad,,,,,,'].join('\n'),
    headers: { cookie: admin.cookie, 'x-sunstead-console': '1' },
  })
  assert.equal(sent.status, 201, sent.text)
  const { id } = sent.body
  await c.stop()

  const there = await signedIn(b, await addPerson(b, installer.company.id, 'admin', 'Bea', 'bea@example.com'))
  const settled = async () => {
    for (;;) {
      const { body } = await there.get(`/imports/${id}`)
      if (!['checking', 'running'].includes(body.state)) return body
      await wait(50)
    }
  }
  const { columns } = (await there.get(`/imports/${id}`)).body
  const mapping = columns.map(({ field }: { field: string | null }) => field)
  await there.call('POST', `/imports/${id}/check`, { body: { mapping } })
  await settled()
  await there.call('POST', `/imports/${id}/start`)
  assert.equal((await settled()).made, 30)
  assert.match((await there.get(`/imports/${id}/problems.csv`)).text, /32,First Name,is required/)
})

test('while the store is away calls that need it are 503 with nothing half-written, others pass, and it comes back by itself', async () => {
  const path = await addedBy(a, '/roof.png')
  const held = await s3.names()
  const before = await database.rows('select 1 from files')
  await s3.away()
  const refused = await add(a, '/roof.png')
  assert.equal(refused.status, 503, refused.text)
  assert.equal(refused.body.error.code, 'unavailable')
  const unread = await b.send('GET', path)
  assert.equal(unread.status, 503)
  assert.match(unread.headers['retry-after'] ?? '', /^\d+$/)
  assert.equal(unread.headers['content-disposition'], undefined)
  assert.equal((await a.get(`/v1/projects/${projectId}`, key)).status, 200)
  assert.equal((await database.rows('select 1 from files')).length, before.length)
  await s3.back()
  assert.deepEqual(await s3.names(), held)
  assert.equal((await b.send('GET', path)).status, 200)
  assert.equal((await add(a, '/roof.png')).status, 201)
  assert.deepEqual(await a.storedFiles(), [])
})

test('a read that the store breaks off does not look whole', async (t) => {
  t.after(() => s3.play(null))
  const path = await addedBy(a, '/roof.png')
  s3.play(async (asked, raw) => {
    if (asked.method !== 'GET') return null
    const { status, headers, body } = await s3.pass(asked)
    raw.writeHead(status, { ...headers, 'content-length': String(body.length) })
    raw.write(body.subarray(0, 2), () => raw.destroy())
    return 'answered'
  })
  await assert.rejects(async () => {
    const { status } = await b.send('GET', path)
    if (status === 503) throw new Error('not begun')
  })
})

test('where it is wanted, addresses of files lead to the store; people see theirs here', async () => {
  const c = await host({ STORAGE_URL: `${env.STORAGE_URL}&delivery=redirect` })
  const path = await addedBy(c, '/contract.pdf')
  const sent = await c.send('GET', path)
  assert.equal(sent.status, 302)
  assert.equal(sent.headers['cache-control'], 'private, no-store')
  assert.equal(sent.headers['referrer-policy'], 'no-referrer')
  const opened = await fetch(sent.headers.location!, { headers: { range: 'bytes=0-3' } })
  assert.equal(opened.status, 206)
  assert.equal(await opened.text(), '%PDF')
  assert.equal(opened.headers.get('content-type'), 'application/pdf')
  assert.match(opened.headers.get('content-disposition')!, /^attachment; /)
  assert.equal((await c.send('HEAD', path)).status, 200)

  const admin = await signedIn(
    c,
    await addPerson(c, installer.company.id, 'admin', 'Cleo', 'cleo@example.com'),
  )
  const { folders } = (await admin.get(`/projects/${projectId}`)).body
  const file = folders
    .flatMap((folder: { files: { id: string; name: string }[] }) => folder.files)
    .find(({ name }: { name: string }) => name === 'contract.pdf')
  assert.equal((await admin.get(`/projects/${projectId}/files/${file.id}`)).status, 200)
  assert.ok((await admin.call('DELETE', `/projects/${projectId}/files/${file.id}`)).status < 300)
  assert.equal((await c.send('GET', path)).status, 404)
})

test('the sweep of one host removes what no record names; the commands see the same store', async () => {
  const { store } = a.server.deps.copying
  const stray = await store.tempFile()
  await writeFile(stray.path, 'nobody knows me')
  const strayKey = 'a'.repeat(40)
  await store.put(strayKey, stray.path)
  const held = (await s3.names()).length
  assert.equal(
    await sweepFiles(database.db, b.server.deps.copying.store, new Date(Date.now() + 7_200_000)),
    1,
  )
  assert.equal((await s3.names()).length, held - 1)
  const folder = await mkdtemp(join(tmpdir(), 'sunstead-hosts-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const commands = {
    ...env,
    DATABASE_URL: database.url,
    SECRET_KEY: secretKey,
    DATA_DIR: join(folder, 'data'),
  }
  const examined = await sunstead(['doctor'], commands)
  assert.equal(examined.code, 0, examined.stdout + examined.stderr)
  const made = await sunstead(['backup', '--to', join(folder, 'backups'), '--json'], commands)
  assert.equal(made.code, 0, made.stderr)
  const { files, rows } = JSON.parse(made.stdout)
  assert.ok(files > 0)

  // Brought back into another database and another part of the bucket.
  const restored = `restored_${process.pid}_${randomBytes(4).toString('hex')}`
  await onServer(`create database ${restored}`)
  after(() => dropDatabase(restored))
  const elsewhere = {
    ...commands,
    DATABASE_URL: withDatabase(database.url, restored),
    STORAGE_URL: env.STORAGE_URL.replace('/kept', '/drill'),
  }
  const back = await sunstead(['restore', '--from', join(folder, 'backups'), '--json'], elsewhere)
  assert.equal(back.code, 0, back.stderr)
  assert.deepEqual([JSON.parse(back.stdout).files, JSON.parse(back.stdout).rows], [files, rows])
  const drill = (await s3.names()).filter((name) => name.startsWith('drill/'))
  assert.equal(drill.filter((name) => name !== 'drill/store-id').length, files)
  assert.deepEqual(await readdir(join(folder, 'data', 'receiving')).catch(() => []), [])
})

test('each host clears its own disk of what a killed process left, also where another leads', async () => {
  const stale = await b.server.deps.copying.store.tempFile()
  const fresh = await b.server.deps.copying.store.tempFile()
  const twoHoursAgo = Date.now() / 1_000 - 7_200
  await utimes(stale.path, twoHoursAgo, twoHoursAgo)
  const job = processJobs(b.server.deps).find(({ name }) => name === 'clear half-received files')!
  await job.run(new AbortController().signal)
  assert.deepEqual(await b.storedFiles(), [basename(fresh.path)])
  await fresh.discard()
})

test('a host with a key of its own is told to share one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sunstead-hosts-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const config = readConfig({ ...env, DATABASE_URL: database.url, DATA_DIR: folder, PORT: '0' })
  await assert.rejects(startServer(config, createLog('silent')), /SECRET_KEY.*every host/)
  await writeFile(join(folder, 'secret.key'), 'a key that this host made for itself\n')
  await assert.rejects(startServer(config, createLog('silent')), /SECRET_KEY.*every host/)
})

test('a store that cannot be used ends the start with a sentence', async () => {
  await assert.rejects(
    host({ AWS_SECRET_ACCESS_KEY: 'wrong' }),
    /STORAGE_URL cannot be used: .*AWS_SECRET_ACCESS_KEY/,
  )
})

test('a server with another database does not start on this store', async () => {
  const other = await createTestDatabase()
  try {
    await assert.rejects(
      startApp({ database: other, env }),
      /STORAGE_URL names holds the files of another database/,
    )
  } finally {
    await other.drop()
  }
})
