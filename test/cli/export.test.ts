import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { propose } from '../../src/domain/agents/propose.ts'
import { agentOf } from '../support/agents.ts'
import { sunstead } from '../support/commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld, lead, member, project } from '../support/factories.ts'
import { temporaryFolder } from '../support/process.ts'
import { stock } from '../support/stock.ts'

const database = await createTestDatabase()
const world = await createWorld(database.db)
const { installer, dealer, sister, other } = world
const folder = await temporaryFolder()
const env = { DATABASE_URL: database.url, DATA_DIR: folder.path, BASE_URL: 'https://sun.example.com' }
after(async () => {
  await database.drop()
  await folder.remove()
})

await stock(installer)
await lead(installer, { firstName: '=Ada', phone: '+1 619 555 0100', externalId: 'x-1' })
await lead(dealer, { firstName: 'Of the dealer', externalId: 'x-2' })
await lead(sister)
await lead(other)
const sold = await project(dealer, { externalId: 'x-3' })
await member(world, dealer, 'Rita Rep')
const agent = await agentOf(world, installer)
await propose(
  agent.as(),
  { kind: 'move', project: sold.projectId, stage: 'Design' },
  { reason: 'It is time' },
)

async function exported(company: string, name: string) {
  const to = join(folder.path, name)
  const { code, stdout, stderr } = await sunstead(['export', '--company', company, '--to', to, '--json'], env)
  assert.equal(code, 0, stderr)
  const { counts } = JSON.parse(stdout)
  const lines = (file: string) =>
    readFileSync(join(to, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { to, counts, lines }
}

test('an installer takes its tenant along, as the API reads it', async () => {
  const { to, counts, lines } = await exported(installer.company.id, 'all')
  assert.deepEqual([counts['leads.ndjson'], counts['projects.ndjson'], counts['leads.csv']], [4, 1, 3])
  assert.equal(lines('leads.ndjson').length, 4)
  const [found] = lines('projects.ndjson')
  assert.equal(found.links.project, `https://sun.example.com/projects/${sold.projectId}`)
  const [proposed] = lines('agent-proposals.ndjson')
  assert.deepEqual([proposed.agent, proposed.reason, proposed.leadId], ['Ada', 'It is time', sold.leadId])
  assert.ok(counts['equipment.ndjson'] > 0 && counts['stages.ndjson'] > 0)
  assert.equal(lines('activities.ndjson').length, counts['activities.ndjson'])
  assert.match(readFileSync(join(to, 'leads.csv'), 'utf8'), /x-1,'=Ada,/)
  assert.deepEqual(JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')).counts, counts)
  assert.ok(!readdirSync(folder.path).some((name) => name.endsWith('.partial')))
})

test('a dealer takes its own along', async () => {
  const { counts, lines } = await exported(String(dealer.company.number), 'dealer')
  assert.deepEqual(
    lines('leads.ndjson')
      .map(({ externalId }) => externalId)
      .sort(),
    ['x-2', 'x-3'],
  )
  assert.deepEqual([counts['projects.ndjson'], counts['stages.ndjson'], counts['adders.ndjson']], [1, 0, 0])
  assert.deepEqual(
    lines('members.ndjson').map(({ name }) => name),
    ['Rita Rep'],
  )
  assert.ok(lines('events.ndjson').every(({ companyId }) => companyId === dealer.company.id))
})

test('what was exported is imported again as it was', async () => {
  const file = join(folder.path, 'all', 'leads.csv')
  const again = await sunstead(
    ['import', '--company', installer.company.id, '--file', file, '--dry-run', '--json'],
    env,
  )
  const report = JSON.parse(again.stdout)
  assert.deepEqual([report.unchanged, report.made, report.refused], [1, 2, 0], again.stdout)
  const projects = join(folder.path, 'dealer', 'projects.csv')
  const moved = await sunstead(
    ['import', '--company', dealer.company.id, '--file', projects, '--dry-run', '--json'],
    env,
  )
  assert.equal(JSON.parse(moved.stdout).unchanged, 1, moved.stdout)
})

test('a folder that is there is left alone', async () => {
  const { code, stderr } = await sunstead(
    ['export', '--company', installer.company.id, '--to', join(folder.path, 'all')],
    env,
  )
  assert.notEqual(code, 0)
  assert.match(stderr, /is there already/)
  assert.ok(existsSync(join(folder.path, 'all', 'leads.csv')))
})
