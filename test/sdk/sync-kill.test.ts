import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createClient } from '../../sdk/src/index.ts'
import { startAppWithFiles } from '../support/app-with-files.ts'
import { bun } from '../support/bun.ts'
import { createWriting, writeALot } from '../support/busy-tenant.ts'
import { type Actors, createWorld, lead, project } from '../support/factories.ts'
import { type Fault, startFaultyProxy } from '../support/faulty-proxy.ts'
import { root, temporaryFolder } from '../support/process.ts'

const { app, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer } = world

/** Every ninth call fails, by turns. */
const faults: Fault[] = [{ cut: 'before' }, { answer: 503, when: 'before' }, { cut: 'within' }]
let calls = 0
const way = await startFaultyProxy(app.url, () => {
  const turn = ++calls / 9
  return Number.isInteger(turn) ? faults[turn % faults.length] : undefined
})

const program = join(root, 'test/sdk/fixtures/sync-copy.ts')

/** Runs the program to its end, be that its death; answers whether it came through. */
async function runOnce(command: string, of: Actors, folder: string, chance: number): Promise<boolean> {
  const child = spawn(command, [program, way.url, of.key, folder, String(chance)], {
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const [[code, signal], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  assert.ok(code === 0 || signal === 'SIGKILL', `it ended with ${code ?? signal}: ${errors}`)
  return code === 0
}

interface Change {
  type: string
  id: string
  record: { id: string }
}

const linesOf = (file: string) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

/** The copy that whoever follows the changes has: marked when all begins anew, and swept once it has caught up. */
function copyOf(changes: Change[]): Record<string, unknown> {
  const copy = new Map<string, { record: unknown; isMarked: boolean }>()
  for (const change of changes) {
    if (change.type === 'restarted') for (const kept of copy.values()) kept.isMarked = true
    else if (change.type === 'changed') copy.set(change.id, { record: change.record, isMarked: false })
    else if (change.type === 'deleted') copy.delete(change.id)
    else for (const [id, { isMarked }] of copy) if (isMarked) copy.delete(id)
  }
  return Object.fromEntries([...copy].map(([id, { record }]) => [id, record]))
}

const byId = (records: { id: string }[]) => Object.fromEntries(records.map((record) => [record.id, record]))

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

test('syncs killed by SIGKILL anywhere under writers, on a bad line, end as exactly what is there', async () => {
  for (let i = 0; i < 6; i++) await (i % 2 ? lead(installer) : project(dealer))
  const writing = createWriting()
  const copies = await Promise.all(
    [
      { of: installer, command: process.execPath },
      { of: dealer, command: bun ?? process.execPath },
    ].map(async ({ of, command }) => {
      const folder = await temporaryFolder()
      after(() => folder.remove())
      let kills = 0
      const keepOn = async () => {
        for (;;) {
          const isLast = writing.isOver() && kills >= 10
          const cameThrough = await runOnce(command, of, folder.path, isLast ? 0 : 0.03)
          if (!cameThrough) kills++
          else if (isLast) return
        }
      }
      return { of, folder: folder.path, done: keepOn(), kills: () => kills }
    }),
  )
  await writeALot({ app, at, world, turns: 4, wrote: writing.wrote })
  writing.end()
  for (const { of, folder, done, kills } of copies) {
    await done
    assert.ok(kills() >= 10)
    const client = createClient({ key: of.key, baseUrl: app.url })
    assert.deepEqual(copyOf(linesOf(join(folder, 'leads.log'))), byId(await all(client.leads.list())))
    const there = await all(client.projects.list({ expand: 'project', limit: 20 }))
    assert.deepEqual(copyOf(linesOf(join(folder, 'projects.log'))), byId(there))
    const events = await all(client.events.list({ limit: 100 }))
    const heard = linesOf(join(folder, 'events.log')) as { id: string }[]
    // Each at least once, and first heard of in their order.
    assert.deepEqual(
      [...new Set(heard.map(({ id }) => id))],
      events.map(({ id }) => id),
    )
    for (const name of ['leads', 'projects', 'events'])
      assert.ok(statSync(join(folder, `${name}.state`)).size < 300, 'the state is small')
  }
})
