import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataDir } from '../support/data-dir.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld, leadBody, project } from '../support/factories.ts'
import { root, run, type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
const mounted: string[] = []
const outside = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.end('a note\n'.repeat(20_000))
})
outside.listen(0, '127.0.0.1')
await once(outside, 'listening')
const database = await createTestDatabase()
after(async () => {
  outside.closeAllConnections()
  outside.close()
  await database.drop()
  for (const path of mounted) execFileSync('/bin/umount', ['--lazy', path])
  await folder.remove()
})

/** A disk of a few megabytes; null where it may not be mounted. */
async function smallDisk(name: string, megabytes: number): Promise<string | null> {
  const path = join(folder.path, name)
  await mkdir(path)
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path], {
      stdio: 'ignore',
    })
  } catch {
    return null
  }
  mounted.push(path)
  return path
}

const skip = (await smallDisk('probe', 1)) === null && 'needs the right to mount a small disk'

/** Lines of the log come a moment later. */
async function told(server: ServerProcess, words: RegExp): Promise<void> {
  while (!words.test(server.output())) await sleep(20)
}

async function fill(path: string): Promise<void> {
  const zeros = Buffer.alloc(65_536)
  const source = function* () {
    for (;;) yield zeros
  }
  await pipeline(source, createWriteStream(path)).catch((error) => assert.equal(error.code, 'ENOSPC'))
}

test('with the disk of files full, adding one is 503 and the log says why; with room it is added', {
  skip,
}, async () => {
  const disk = (await smallDisk('files', 2))!
  const world = await createWorld(database.db)
  const { projectId } = await project(world.installer)
  const host = `localhost:${(outside.address() as AddressInfo).port}`
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder.path, 'data'),
    STORAGE_URL: `file:${disk}`,
    OUTBOUND_TRUSTED_HOSTS: host,
    DEMO: '0',
  }
  const server = await startProcess(env)
  const add = () =>
    fetch(`${server.url}/v1/projects/${projectId}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.installer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ folder: 'other', files: [{ url: `http://${host}/note.txt` }] }),
    })
  try {
    await fill(join(disk, 'filler'))
    const refused = await add()
    assert.equal(refused.status, 503, await refused.text())
    assert.match(refused.headers.get('retry-after')!, /^[1-9]\d*$/)
    await told(server, /the disk is full/)
    await rm(join(disk, 'filler'))
    assert.equal((await add()).status, 201)
    await fill(join(disk, 'filler'))
  } finally {
    await server.end('SIGTERM')
  }
  // A start on it ends in a sentence.
  const { code, stderr } = await run([process.execPath, join(root, 'bin/sunstead.js'), 'serve'], {
    ...env,
    PORT: '0',
  })
  assert.equal(code, 1)
  assert.match(stderr, /^Sunstead cannot start: the disk is full: free some space/m)
})

test('with the disk of PostgreSQL full, a write is 503 and never 500, reads go on, and with room it is made', {
  skip,
}, async () => {
  const disk = (await smallDisk('postgres', 400))!
  const dataDir = join(disk, 'data')
  const { key } = await makeDataDir(dataDir)
  const server = await startProcess({ DATA_DIR: dataDir, DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' })
  try {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const notes = 'x'.repeat(20_000)
    const write = () =>
      fetch(`${server.url}/v1/leads`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...leadBody, notes }),
      })
    assert.equal((await write()).status, 201)
    await fill(join(disk, 'filler'))
    let refused: Response | undefined
    for (let i = 0; i < 500 && !refused; i++) {
      const answer = await write()
      if (answer.status !== 201) refused = answer
    }
    assert.equal(refused?.status, 503)
    await told(server, /disk is full/)
    assert.equal((await fetch(`${server.url}/v1/leads?limit=1`, { headers })).status, 200)
    await rm(join(disk, 'filler'))
    assert.equal((await write()).status, 201)
  } finally {
    await server.end('SIGTERM')
  }
})
