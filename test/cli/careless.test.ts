import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import pg from 'pg'
import { buildProgram } from '../../src/cli/program.ts'
import { type App, startApp } from '../support/app.ts'
import { sunstead } from '../support/commands.ts'
import { secretKey } from '../support/database.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { root, temporaryFolder, userEnvironment } from '../support/process.ts'

const folder = await temporaryFolder()
let app: App
let world: World
let env: Record<string, string>

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  env = { DATABASE_URL: app.database.url, DATA_DIR: join(folder.path, 'data'), SECRET_KEY: secretKey }
})
after(() => folder.remove())

/** Every command that does something, with how it is called. */
function leaves(command: Command, name: string): { name: string; command: Command }[] {
  const below = command.commands.flatMap((one) => leaves(one, `${name} ${one.name()}`.trim()))
  // `backup` does something itself, besides its commands.
  return below.length === 0 || command.options.length > 1 ? [{ name, command }, ...below] : below
}

test('every command says what it does, and prints JSON where it prints data', () => {
  const all = leaves(buildProgram({ serve: async () => {} }), '').filter(({ name }) => name !== '')
  assert.ok(all.length > 25, `${all.length} commands`)
  for (const { name, command } of all) {
    assert.ok(command.description().length > 10, name)
    assert.match(command.helpInformation(), /--help/)
    const answersJson = command.options.some(({ long }) => long === '--json')
    // One speaks a protocol of its own.
    assert.equal(answersJson, !['serve', 'mcp'].includes(name), name)
  }
})

test('wrong paths, orders and words are told in a sentence, and nothing is made of them', async () => {
  const file = join(folder.path, 'a-file')
  await writeFile(file, '')
  const nowhere = { DATA_DIR: join(folder.path, 'nowhere') }
  const { leadId, projectId } = await project(world.installer)
  const { id } = world.installer.company
  const cases: [string[], RegExp, Record<string, string>?][] = [
    [['backup'], /sunstead backup --to <folder>/],
    [['backup', '--to', join(file, 'below')], /cannot be (written to|used)/],
    [['backup', '--to', file], /cannot be written to/],
    [['backup', '--to', folder.path, '--keep', '0'], /whole number from 1/],
    [['backup', 'list', '--from', join(folder.path, 'no')], /There is no folder/],
    [['backup', 'verify', '--from', file], /is no folder/],
    [['backup', 'lsit', '--from', file], /too many arguments|unknown/],
    [['restore', '--from', join(folder.path, 'no')], /There is no folder/, nowhere],
    [['restore', '--from', file], /is no folder/, nowhere],
    [['restore', '--from', folder.path], /There is no whole backup/, nowhere],
    [['setup-code'], /no database in/, nowhere],
    [['secret', 'rotate'], /no database in/, nowhere],
    [['secret', 'reset'], /add "--yes"/],
    [['secret', 'rotate'], /SECRET_KEY=new,old/],
    [
      ['links', 'rotate', '--project', projectId, '--since', '2027-01-31T08:00:00Z'],
      /for --company and --all/,
    ],
    [['customer', 'erase', '--lead', leadId], /Name the --company and the --lead/],
    [['customer', 'erase', '--company', id, '--lead', 'lead_none'], /lead/],
    [['customer', 'erase', '--company', id, '--lead', leadId], /Nothing was erased.*--yes/],
    [['customer', 'erase', '--again-after-restore'], /There is no list at/],
    [['customer', 'export', '--company', id, '--lead', leadId, '--to', file], /is there already/],
    [
      ['customer', 'export', '--company', id, '--lead', leadId, '--to', join(file, 'x')],
      /cannot be used: a part of the path is no folder/,
    ],
    [['customer', 'export', '--company', 'nobody', '--lead', leadId, '--to', 'x'], /no company nobody/],
  ]
  for (const [args, message, on = env] of cases) {
    const { code, stderr } = await sunstead(args, on)
    assert.equal(code, 1, `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, message, args.join(' '))
    assert.doesNotMatch(stderr, /\n\s+at |E[A-Z]{4,}:/, args.join(' '))
  }
  assert.equal(existsSync(nowhere.DATA_DIR), false, 'a mistyped path makes no database')
})

test('a backup is listed as JSON, one that is damaged hides no other, and one in DATA_DIR is warned of', async () => {
  const to = join(folder.path, 'data', 'backups')
  const made = await sunstead(['backup', '--to', to, '--json'], env)
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stderr, /is in DATA_DIR/)
  assert.equal(JSON.parse(made.stdout).files, 0)
  const damaged = join(to, '2020-01-01T00-00-00.000Z')
  await mkdir(damaged)
  await writeFile(join(damaged, 'manifest.json'), '{"manifest"')
  const listed = await sunstead(['backup', 'list', '--from', to, '--json'], env)
  assert.deepEqual(
    JSON.parse(listed.stdout).map(({ version }: { version: string }) => version === 'damaged'),
    [false, true],
  )
})

/** Starts a command while something that it needs is held, presses Ctrl-C, and lets go. */
async function interrupted(args: string[], hold: string): Promise<{ code: number | null; stderr: string }> {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  await client.query('begin')
  await client.query(hold)
  const others = await app.database.rows<{ pid: number }>('select pid from pg_stat_activity')
  const child = spawn(process.execPath, [join(root, 'bin/sunstead.js'), ...args], {
    env: userEnvironment(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = once(child, 'close')
  const waits = `select from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database() and l.pid <> all($1::int[])
      and a.backend_type = 'client backend'`
  // Asked outside the transaction, in which the list of who is there does not change. Not where the server, which holds the database too, waits: the command would not have begun.
  const before = others.map(({ pid }) => pid)
  let end = performance.now() + 60_000
  const isOver = () => child.exitCode !== null || child.signalCode !== null || performance.now() > end
  while ((await app.database.rows(waits, [before])).length === 0 && !isOver()) await sleep(20)
  child.kill('SIGINT')
  end = performance.now() + 60_000
  while (!stderr.includes('Stopping') && !isOver()) await sleep(20)
  await client.query('rollback')
  await client.end()
  const [code] = await ended
  return { code: code as number | null, stderr }
}

test('Ctrl-C ends a backup with nothing left of it, and says how links go on', async () => {
  const to = join(folder.path, 'interrupted')
  const backup = await interrupted(['backup', '--to', to], 'lock table leads in access exclusive mode')
  assert.equal(backup.code, 130, backup.stderr)
  assert.match(backup.stderr, /Interrupted: what was begun has been removed\.$/m)
  assert.deepEqual((await readdir(to)).sort(), ['files', 'sunstead-backups.json'])

  for (let i = 0; i < 2; i++) await project(world.other)
  const { id } = world.other.company
  const rotate = ['links', 'rotate', '--company', id]
  const cut = await interrupted(rotate, `select from tenant_clocks where installer_id = '${id}' for update`)
  assert.equal(cut.code, 130)
  const since = /add --since (\S+)\.$/.exec(cut.stderr.trim())?.[1]
  assert.ok(since, cut.stderr)
  const rest = await sunstead([...rotate, '--since', since, '--json'], env)
  assert.equal(JSON.parse(rest.stdout).projects, 1, rest.stderr)
})

test('a name is asked for before somebody is erased, and another one erases nobody', async () => {
  const leadId = await lead(world.installer, { firstName: 'Ada', lastName: 'Moreno' })
  const args = ['customer', 'erase', '--company', world.installer.company.id, '--lead', leadId]
  const typed = async (text: string) => {
    const child = spawn(process.execPath, [join(root, 'bin/sunstead.js'), ...args], {
      env: userEnvironment(env),
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdin.end(text)
    const [code] = await once(child, 'close')
    return { code, stderr }
  }
  const wrong = await typed('Ada Morena\n')
  assert.deepEqual([wrong.code, /not the customer’s name. Nothing was erased/.test(wrong.stderr)], [1, true])
  const erasedAt = async () =>
    (
      await app.database.rows<{ at: Date | null }>('select erased_at as at from leads where id = $1', [
        leadId,
      ])
    )[0]!.at
  assert.equal(await erasedAt(), null)
  assert.equal((await typed('ada moreno\n')).code, 0)
  assert.notEqual(await erasedAt(), null)
})
