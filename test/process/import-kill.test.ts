import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { ImportResponse } from '../../src/api/console/import-responses.ts'
import { type DataDir, makeDataDir } from '../support/data-dir.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
const env = { DATA_DIR: join(folder.path, 'data'), DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' }
const rows = 2_000
const refusedRows = 20
let server: ServerProcess
after(() => folder.remove())

const numbers = Array.from({ length: rows }, (_, i) => i)
/** What is still to be fixed in the file: every hundredth row has no last name. */
const lastName = (i: number) => (i % (rows / refusedRows) === 0 ? '' : 'Moreno')
const file = [
  'External ID,First Name,Last Name,Street,City,State,Zip',
  ...numbers.map((i) => `k-${i},Ada,${lastName(i)},${i} Market St,San Diego,CA,92101`),
].join('\n')

/** An owner's cookie, which outlives the server. */
async function enter(person: DataDir['owner']): Promise<string> {
  const answer = await fetch(`${server.url}/console/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json', 'x-sunstead-console': '1' },
    body: JSON.stringify(person),
  })
  assert.ok(answer.ok, `${answer.status}`)
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

async function answerTo(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(server.url + path, init)
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return answer
}

async function leadsOf(key: string): Promise<{ externalId: string; archived: boolean }[]> {
  const leads = []
  let next: string | null = ''
  while (next !== null) {
    const path: string = `/v1/leads?limit=100${next ? `&cursor=${encodeURIComponent(next)}` : ''}`
    const answer = await answerTo(path, { headers: { authorization: `Bearer ${key}` } })
    const page = (await answer.json()) as {
      data: { externalId: string; archived: boolean }[]
      next: string | null
    }
    leads.push(...page.data)
    next = page.next
  }
  return leads
}

test('kill -9 in the midst of an import: the next server ends it, each row done once, and it is undone', async () => {
  const { key, owner } = await makeDataDir(env.DATA_DIR)
  server = await startProcess(env)
  const cookie = await enter(owner)
  const headers = { cookie, 'x-sunstead-console': '1' }
  const imports = (path: string, init: RequestInit = {}) =>
    answerTo(`/console/api/imports${path}`, { headers, ...init })
  const { id } = (await (await imports('?name=leads.csv', { method: 'PUT', body: file })).json()) as {
    id: string
  }
  const read = async () => (await (await imports(`/${id}`)).json()) as ImportResponse
  const until = async (met: (found: ImportResponse) => boolean) => {
    for (;;) {
      const found = await read()
      if (met(found)) return found
      await wait(10)
    }
  }
  const mapping = (await read()).columns.map(({ field }) => field)
  await imports(`/${id}/check`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ mapping }),
  })
  await until(({ state }) => state === 'checked')
  await imports(`/${id}/start`, { method: 'POST' })
  const { state, rowsDone } = await until((found) => found.rowsDone > 0 || found.state === 'done')
  process.kill(server.child.pid!, 'SIGKILL')
  assert.ok(state === 'running' && rowsDone < rows, `${state}, ${rowsDone} of ${rows} rows`)

  server = await startProcess(env)
  assert.ok((await read()).rowsDone >= rowsDone)
  const done = await until(({ state }) => state !== 'running')
  assert.deepEqual(
    [done.state, done.rowsDone, done.made, done.updated, done.unchanged, done.refused, done.problems],
    ['done', rows, rows - refusedRows, 0, 0, refusedRows, refusedRows],
  )
  const problems = await (await imports(`/${id}/problems.csv`)).text()
  assert.deepEqual(
    problems.trim().split('\r\n').slice(1),
    numbers.filter((i) => lastName(i) === '').map((i) => `${i + 2},Last Name,is required,no`),
  )
  const expected = numbers.filter((i) => lastName(i) !== '')
  assert.deepEqual(
    (await leadsOf(key)).map(({ externalId }) => externalId).sort(),
    expected.map((i) => `k-${i}`).sort(),
  )

  await imports(`/${id}/undo`, { method: 'POST' })
  const undone = await until(({ state }) => state !== 'undoing')
  assert.deepEqual([undone.state, undone.undone, undone.undoneChanged], ['undone', expected.length, 0])
  const archived = (await leadsOf(key)).filter((lead) => lead.archived)
  assert.equal(archived.length, expected.length)
  await server.end('SIGTERM')
})
