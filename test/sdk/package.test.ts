import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { bun } from '../support/bun.ts'
import { createWorld, project } from '../support/factories.ts'
import { type Fault, startFaultyProxy } from '../support/faulty-proxy.ts'
import { root, run, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
after(() => folder.remove())
const path = `${dirname(process.execPath)}:${process.env.PATH}`
const env = { PATH: path, npm_config_cache: join(folder.path, 'cache'), npm_config_offline: 'true' }

async function done(command: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, env, cwd)
  assert.equal(code, 0, `${command.join(' ')}\n${stdout}${stderr}`)
  return stdout
}

/** What a program of a user's does with it, in whatever runtime; what it says is held against what is there. */
const program = `
import { ApiError, type Catalog, type Change, createClient, type Lead, type Legacy, verifyWebhook } from '@sunstead/sdk'

export async function work(baseUrl: string, key: string, projectId: string) {
  const retries: string[] = []
  const client = createClient({ key, baseUrl, onRetry: ({ operation, error }) => retries.push(operation + ' ' + error.code) })
  const address = { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' }
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, i) => client.leads.create({ firstName: 'N' + i, lastName: 'Packed', address })),
  )
  // @ts-expect-error a lead needs an address
  const wrong = () => client.leads.create({ firstName: 'A', lastName: 'B' })
  // @ts-expect-error there is no such status
  const none = () => client.catalog.panels.list({ status: 'broken' })

  const leads: Lead[] = []
  for await (const lead of client.leads.list({ limit: 2 })) leads.push(lead)
  const changes: Change<Lead>[] = []
  let state: string | null = null
  const store = { load: () => state, save: (text: string) => { state = text } }
  for await (const change of client.syncLeads({ store, limit: 4 })) changes.push(change)

  const bytes = new TextEncoder().encode('%PDF-1.4\\n1 0 obj<</Type/Catalog>>endobj\\n' + crypto.randomUUID().repeat(6_000) + '\\n%%EOF\\n')
  const open = () => new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 50_000) controller.enqueue(bytes.slice(at, at + 50_000))
      controller.close()
    },
  })
  const name = 'packed-' + crypto.randomUUID() + '.pdf'
  const { files } = await client.projects.addFiles(projectId, { folder: 'planset', files: [{ name, content: open }] })
  const listed = (await client.projects.listFiles(projectId)).data.find((file) => file.id === files[0]!.id)!
  const download = await client.download(listed.url)
  const down = new Uint8Array(await new Response(download.stream).arrayBuffer())

  const error = await client.projects.get('nothing').catch((thrown: unknown) => thrown)
  const site = await client.catalog.installations.create({ name: 'Roof', address: '1 Market St', region: 'US-CA' })
  await client.catalog.installations.delete(site.id)
  const unsure = await client.leads.update(made[0]!.leadId, { notes: 'Once' }).catch((thrown: unknown) => thrown)
  const panels: Catalog.PanelPage = await client.catalog.panels.list()
  const legacy: Legacy.LeadList = await client.legacy.fetchAllLead({ org_id: (await client.me.get()).company.orgId })
  const forged = await verifyWebhook({
    headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' },
    body: '{}',
    secrets: 'whsec_c2VjcmV0',
  }).catch((thrown: Error) => thrown.name)
  return {
    made: made.map(({ leadId }) => leadId),
    listed: leads.map(({ id }) => id),
    synced: changes.flatMap((change) => (change.type === 'changed' ? [change.id] : [])),
    uploaded: files[0]!.added,
    same: down.length === bytes.length && down.every((byte, i) => byte === bytes[i]),
    error: error instanceof ApiError ? [error.status, error.code, typeof error.requestId] : String(error),
    unsure: unsure instanceof ApiError ? [unsure.code, unsure.mayHaveHappened] : String(unsure),
    panels: panels.data.length,
    legacy: legacy.total,
    forged,
    retries: retries.length,
    unused: [wrong, none].length,
  }
}
`
const start = `
import { work } from './work.js'
const [url, key, projectId] = process.argv.slice(2)
console.log(JSON.stringify(await work(url, key, projectId)))
`

/** Every snippet of the README, one after the other; what they have of their own is declared. */
async function readmeProgram(): Promise<string> {
  const readme = await readFile(join(root, 'sdk/README.md'), 'utf8')
  const snippets = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!)
  assert.ok(snippets.length >= 6)
  const declared = `
declare const myDatabase: Record<'remove' | 'markAll' | 'removeMarked', (id?: string) => Promise<void>> & {
  upsert(id: string, record: object): Promise<void>
}
declare function openPlanSet(): ReadableStream<Uint8Array>
`
  return declared + snippets.join('\n')
}

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  module: 'nodenext',
  types: [],
  skipLibCheck: false,
}

test('packed by itself, installed into an empty folder, it compiles strictly and runs in Node and in Bun', async (t) => {
  const packed = await done(['npm', 'pack', '--json', '--pack-destination', folder.path], join(root, 'sdk'))
  // Of npm 12 it is by name, of those before a list.
  const said = JSON.parse(packed.slice(packed.search(/[[{]/))) as object
  const [pack] = Object.values(said) as [{ filename: string; files: { path: string }[] }]
  const paths = pack.files.map((file) => file.path)
  assert.ok(
    paths.includes('dist/index.js') && paths.includes('dist/index.d.ts') && paths.includes('README.md'),
  )
  assert.ok(
    paths.every((one) => /^(dist\/|README\.md$|package\.json$)/.test(one)),
    paths.join(),
  )

  const user = join(folder.path, 'user')
  await done(['mkdir', user], folder.path)
  await writeFile(join(user, 'package.json'), '{ "type": "module", "private": true }')
  await done(['npm', 'install', '--no-audit', '--no-fund', join(folder.path, pack.filename)], user)
  assert.deepEqual(
    (await readdir(join(user, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['@sunstead'],
  )
  const built = join(user, 'node_modules/@sunstead/sdk/dist')
  for (const file of (await readdir(built, { recursive: true })).filter((name) => name.endsWith('.js'))) {
    const imports = [...(await readFile(join(built, file), 'utf8')).matchAll(/(?:from|import\() ?'([^']+)'/g)]
    assert.ok(
      imports.every(([, from]) => from!.startsWith('.') && from!.endsWith('.js')),
      `${file}: ${imports}`,
    )
  }

  await writeFile(join(user, 'work.ts'), program)
  await writeFile(join(user, 'readme.ts'), await readmeProgram())
  await writeFile(join(user, 'start.js'), start)
  for (const lib of [
    ['es2022', 'dom'],
    ['es2022', 'webworker'],
  ]) {
    const options = { ...compilerOptions, lib }
    await writeFile(
      join(user, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['*.ts'] }),
    )
    await done([join(root, 'node_modules/.bin/tsc'), '-p', user], user)
  }

  const app = await startApp()
  const { installer } = await createWorld(app.database.db)
  const { projectId } = await project(installer)
  const runtimes = { node: process.execPath, ...(bun ? { bun } : {}) }
  if (!bun) t.diagnostic('there is no Bun for this machine')
  for (const [name, runtime] of Object.entries(runtimes)) {
    const faults: Fault[] = [
      { cut: 'after' },
      { answer: 503, when: 'after' },
      { answer: 429, retryAfter: 1, when: 'before' },
      { cut: 'before' },
      { cut: 'within' },
    ]
    let calls = 0
    let deletes = 0
    let changes = 0
    const way = await startFaultyProxy(app.url, ({ method }) => {
      if (method === 'DELETE') return deletes++ === 0 ? { cut: 'after' } : undefined
      if (method === 'PATCH') return changes++ === 0 ? { cut: 'before' } : undefined
      return calls++ % 3 === 0 ? faults.shift() : undefined
    })
    const before = await app.get('/v1/leads?limit=100', installer.key)
    const out = JSON.parse(await done([runtime, 'start.js', way.url, installer.key, projectId], user))
    const there = (await app.get('/v1/leads?limit=100', installer.key)).body.data.map(
      (one: { id: string }) => one.id,
    )
    assert.equal(there.length, before.body.data.length + 6, name)
    assert.equal(new Set(out.made).size, 6, name)
    assert.deepEqual(out.listed.toSorted(), there.toSorted(), name)
    assert.deepEqual(out.synced.toSorted(), there.toSorted(), name)
    assert.deepEqual(out.error, [404, 'not_found', 'string'], name)
    assert.deepEqual([out.uploaded, out.same, out.forged, out.panels], [true, true, 'WebhookError', 0], name)
    assert.equal(out.legacy, there.length, name)
    assert.deepEqual(out.unsure, ['connection_failed', true], name)
    // The runtime has sent none of them again by itself.
    assert.deepEqual([deletes, changes], [2, 1], name)
    assert.equal(faults.length, 0, name)
    // Bun sends a read again by itself.
    assert.ok(out.retries >= 5, `${name}: ${out.retries}`)
  }
})

test('in a checkout it is imported as sunstead/sdk, and packed with the server', async () => {
  const code = `const { createClient } = await import('sunstead/sdk'); console.log(typeof createClient)`
  assert.equal((await done([process.execPath, '--input-type=module', '-e', code], root)).trim(), 'function')
  const listed = await done(['npm', 'pack', '--dry-run', '--json'], root)
  for (const file of ['sdk/dist/index.js', 'sdk/dist/index.d.ts'])
    assert.ok(listed.includes(`"${file}"`), file)
})
