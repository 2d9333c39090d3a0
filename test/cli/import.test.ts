import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sunstead } from '../support/commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { temporaryFolder } from '../support/process.ts'

const database = await createTestDatabase()
const { installer } = await createWorld(database.db)
const folder = await temporaryFolder()
const env = { DATABASE_URL: database.url, DATA_DIR: folder.path }
after(async () => {
  await database.drop()
  await folder.remove()
})

const file = join(folder.path, 'leads.csv')
const rows = [
  'Id;Given;Family;Street;City;State;Zip',
  'c-1;Ada;Moreno;1 Elm St;Boston;MA;02108',
  'c-2;Luis;;2 Elm St;Boston;MA;02108',
]
const maps = ['--map', 'firstName=Given', '--map', 'lastName=Family']
const importing = (...more: string[]) =>
  sunstead(['import', '--company', String(installer.company.number), '--file', file, ...maps, ...more], env)
const made = async () => (await database.rows('select 1 from leads')).length

test('a dry run says what would be done and does nothing', async () => {
  await writeFile(file, `${rows.join('\n')}\n`)
  const { code, stdout } = await importing('--dry-run', '--json')
  const report = JSON.parse(stdout)
  assert.deepEqual([code, report.state, report.made, report.refused], [1, 'checked', 1, 1])
  assert.deepEqual(report.problems, [{ row: 3, column: 'Family', message: 'is required', refused: true }])
  assert.deepEqual(report.columns.Given, 'firstName')
  assert.equal(await made(), 0)
})

test('a run makes the leads, in the name of the command line', async () => {
  const { code, stdout, stderr } = await importing()
  assert.equal(code, 1)
  assert.match(stdout, /state\s+done[\s\S]*made\s+1[\s\S]*refused\s+1/)
  assert.match(stderr, /row 3: Family is required/)
  assert.equal(await made(), 1)
  const [event] = await database.rows<{ kind: string; name: string }>(
    `select actor_kind as kind, actor_name as name from events where type = 'lead.created'`,
  )
  assert.deepEqual(event, { kind: 'job', name: 'Command line' })
})

test('what is wrong with the call is said', async () => {
  assert.match((await importing('--map', 'email=Mail')).stderr, /has no column "Mail". It has: Id, Given/)
  assert.match((await importing('--map', 'nonsense=Given')).stderr, /Use a field and a column/)
  const unknown = await sunstead(['import', '--company', '999999', '--file', file], env)
  assert.match(unknown.stderr, /There is no company 999999/)
  const nowhere = await sunstead(['import', '--company', installer.company.id, '--file', `${file}.none`], env)
  assert.notEqual(nowhere.code, 0)
  assert.match(nowhere.stderr, /it is not there/)
})
