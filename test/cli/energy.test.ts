import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sunstead } from '../support/commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { checkRollUps, boundlessSite as site } from '../support/energy.ts'
import { createWorld } from '../support/factories.ts'
import { root, run, temporaryFolder, userEnvironment } from '../support/process.ts'

const database = await createTestDatabase()
const { installer, dealer, other } = await createWorld(database.db)
const folder = await temporaryFolder()
const env = { DATABASE_URL: database.url, DATA_DIR: folder.path }
after(async () => {
  await database.drop()
  await folder.remove()
})

const roof = await site(database, installer, 'America/Los_Angeles', 3)
const wing = await site(database, dealer, 'Europe/Berlin', 1)
const foreign = await site(database, other, 'Asia/Kolkata', 1)
const file = (name: string) => join(folder.path, name)
const hour = (i: number) => new Date(Date.UTC(2026, 2, 7) + i * 3_600_000).toISOString()
const company = ['--company', installer.company.id]

async function json<T>(args: string[], code = 0): Promise<T> {
  const ended = await sunstead([...args, '--json'], env)
  assert.equal(ended.code, code, ended.stderr)
  return JSON.parse(ended.stdout) as T
}

test('what is exported is imported again as it was, and again without a change', async () => {
  const rows = [...roof.panels, ...wing.panels]
    .sort()
    .flatMap((panel, p) =>
      Array.from({ length: 2_000 }, (_, i) => `${panel},${hour(i)},${(p * 2_000 + i) / 1_000_000}`),
    )
  const csv = `panel_id,timestamp,kwh\n${rows.join('\n')}\n`
  await writeFile(file('in.csv'), csv)
  const first = await json(['energy', 'import', file('in.csv'), ...company])
  assert.deepEqual(first, { accepted: 8_000, updated: 0, quarantined: 0, rejected: 0, lines: [] })
  assert.ok((await checkRollUps(database)) > 300)

  assert.deepEqual(await json(['energy', 'export', ...company, '--output', file('out.csv')]), {
    readings: 8_000,
    panels: 4,
    deletedPanels: 0,
  })
  assert.equal(await readFile(file('out.csv'), 'utf8'), csv.replace(',0\n', ',0\n'))
  const again = await json(['energy', 'import', file('out.csv'), ...company])
  assert.deepEqual(again, { accepted: 8_000, updated: 0, quarantined: 0, rejected: 0, lines: [] })

  const piped = await run(
    [
      'sh',
      '-c',
      `"${process.execPath}" bin/sunstead.js energy export --company ${installer.company.number} | "${process.execPath}" bin/sunstead.js energy import - --company ${installer.company.number}`,
    ],
    env,
  )
  assert.equal(piped.code, 0, piped.stderr)
  assert.match(piped.stdout, /accepted +8000/)
  assert.match(piped.stderr, /8000 readings of 4 panels written/)
})

test('an export is of a company, an installation, a panel and local days', async () => {
  const lines = async (...more: string[]) => {
    const { code, stdout, stderr } = await sunstead(['energy', 'export', ...more], env)
    assert.equal(code, 0, stderr)
    return stdout.trim().split('\n').slice(1)
  }
  assert.equal((await lines('--company', dealer.company.id)).length, 2_000)
  assert.equal((await lines(...company, '--installation', roof.installation)).length, 6_000)
  // The clock goes forward on that day: it has 23 hours.
  const short = await lines(
    ...company,
    '--panel',
    roof.panels[0]!,
    '--from',
    '2026-03-08',
    '--to',
    '2026-03-08',
  )
  assert.equal(short.length, 23)
  assert.ok(short[0]!.startsWith(`${roof.panels[0]},2026-03-08T08:00:00.000Z,`))
})

test('what a deleted panel made is exported too; an import names its lines and takes the others', async () => {
  const shed = await site(database, installer, 'America/Los_Angeles', 2)
  const [kept, gone] = shed.panels.toSorted()
  const rows = [kept, gone].map((panel) => `${panel},${hour(0)},1\n${panel},${hour(1)},2\n`)
  await writeFile(file('shed.csv'), `panel_id,timestamp,kwh\n${rows.join('')}`)
  await json(['energy', 'import', file('shed.csv'), ...company])
  await database.rows('update panels set deleted_at = now() where id = $1', [gone])

  const whole = ['energy', 'export', ...company, '--installation', shed.installation]
  assert.deepEqual(await json([...whole, '--output', file('whole.csv')]), {
    readings: 4,
    panels: 2,
    deletedPanels: 1,
  })
  assert.equal(await readFile(file('whole.csv'), 'utf8'), await readFile(file('shed.csv'), 'utf8'))
  const only = await sunstead(['energy', 'export', ...company, '--panel', gone!], env)
  assert.equal(only.stdout, `panel_id,timestamp,kwh\n${rows[1]}`)
  assert.match(only.stderr, /2 readings of 1 panels written, 1 of them deleted/)

  const taken = await json<{ accepted: number; lines: { line: number }[] }>(
    ['energy', 'import', file('whole.csv'), ...company],
    1,
  )
  assert.equal(taken.accepted, 2)
  assert.deepEqual(
    taken.lines.map(({ line }) => line),
    [4, 5],
  )
  await json([...whole, '--without-deleted', '--output', file('rest.csv')])
  assert.equal(await readFile(file('rest.csv'), 'utf8'), `panel_id,timestamp,kwh\n${rows[0]}`)
  assert.equal(
    (await json<{ rejected: number }>(['energy', 'import', file('rest.csv'), ...company])).rejected,
    0,
  )
})

test('bad lines are named by their number, the others are taken, and the exit code is 1', async () => {
  const panel = roof.panels[0]
  await writeFile(
    file('bad.csv'),
    [
      '\uFEFFKWH,panel_id,timestamp',
      `1,${panel},2025-01-01T00:00:00Z`,
      '',
      `one,${panel},2025-01-01T01:00:00Z`,
      `1,${foreign.panels[0]},2025-01-01T01:00:00Z`,
      `1,${panel},yesterday`,
      `1,${panel}`,
      `"2","${panel}","2025-01-01T02:00:00Z"`,
    ].join('\r\n'),
  )
  const found = await json<{ accepted: number; lines: { line: number; message: string }[] }>(
    ['energy', 'import', file('bad.csv'), ...company],
    1,
  )
  assert.equal(found.accepted, 2)
  assert.deepEqual(
    found.lines.map(({ line }) => line),
    [4, 5, 6, 7],
  )
  const told = await sunstead(['energy', 'import', file('bad.csv'), ...company], env)
  assert.equal(told.code, 1)
  assert.match(told.stderr, /line 5: panel_id: there is no panel/)
  assert.match(told.stdout, /rejected +4/)
})

test('what cannot be begun says what to change', async () => {
  await writeFile(file('head.csv'), 'panel,when,kwh\n')
  await writeFile(file('empty.csv'), '')
  const cases: [string[], RegExp][] = [
    [['import', file('head.csv'), ...company], /first line must name the columns: panel_id,timestamp,kwh/],
    [['import', file('empty.csv'), ...company], /file is empty/],
    [['import', file('nowhere.csv'), ...company], /it is not there/],
    [['import', file('in.csv'), '--company', '99999'], /no company 99999/],
    [['import', file('in.csv')], /--company/],
    [['export', ...company, '--from', '2026-02-30'], /Use a day/],
    [['export', ...company, '--panel', foreign.panels[0]!], /no panel/],
    [['export', ...company, '--installation', foreign.installation], /no installation/],
  ]
  for (const [args, message] of cases) {
    const { code, stderr } = await sunstead(['energy', ...args], env)
    assert.equal(code, 1, args.join(' '))
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})

// A terminal is played by util-linux's "script", which not every machine has.
const noTerminal =
  spawnSync('script', ['--version']).status !== 0 && 'this machine has no "script" to play a terminal'

test('on a terminal a bar shows how far it is', { skip: noTerminal }, async () => {
  const panel = roof.panels[1]
  const rows = Array.from(
    { length: 30_000 },
    (_, i) => `${panel},${new Date(Date.UTC(2020, 0, 1) + i * 900_000).toISOString()},1`,
  )
  await writeFile(file('long.csv'), `panel_id,timestamp,kwh\n${rows.join('\n')}\n`)
  const command = `"${process.execPath}" bin/sunstead.js energy import ${file('long.csv')} --company ${installer.company.id}`
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: root, env: userEnvironment(env) })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  assert.match(output, /\r\[=* *\] \d+ % \d+ readings taken/)
  assert.match(output, /accepted +30000/)
})
