import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { sunstead } from '../support/commands.ts'
import { createWorld, project, type World } from '../support/factories.ts'

let app: App
let world: World

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
})

const run = (...args: string[]) => sunstead(args, { DATABASE_URL: app.database.url })
const done = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}
const proposalOf = async (projectId: string, key: string) =>
  new URL((await app.get(`/v1/projects/${projectId}`, key)).body.links.proposal).pathname
const status = async (path: string) => (await app.send('GET', path)).status

test('an operator makes addresses again: of a project, of a company, of all, and goes on where a run was cut off', async () => {
  const { installer, dealer, other } = world
  const [own, sold, foreign] = [await project(installer), await project(dealer), await project(other)]
  const addresses = () =>
    Promise.all([
      proposalOf(own.projectId, installer.key),
      proposalOf(sold.projectId, installer.key),
      proposalOf(foreign.projectId, other.key),
    ])
  const statuses = async (paths: string[]) => Promise.all(paths.map(status))

  const first = await addresses()
  assert.equal((await done('links', 'rotate', '--project', own.projectId)).projects, 1)
  assert.deepEqual(await statuses(first), [404, 200, 200])
  const second = await addresses()
  assert.equal((await done('links', 'rotate', '--company', dealer.company.id)).projects, 1)
  assert.deepEqual(await statuses(second), [200, 404, 200])
  assert.equal((await done('links', 'rotate', '--company', String(installer.company.number))).projects, 2)
  const third = await addresses()
  const { projects, since } = await done('links', 'rotate', '--all')
  assert.equal(projects, 3)
  assert.deepEqual(await statuses(third), [404, 404, 404])
  assert.deepEqual(await statuses(await addresses()), [200, 200, 200])
  assert.equal((await done('links', 'rotate', '--all', '--since', since)).projects, 0)

  for (const wrong of [[], ['--all', '--project', own.projectId], ['--all', '--since', 'yesterday']])
    assert.equal((await run('links', 'rotate', ...wrong)).code, 1)
  const unknown = await run('links', 'rotate', '--project', 'proj_none000000')
  assert.deepEqual([unknown.code, /There is no project/.test(unknown.stderr)], [1, true])
})

test('an operator says how much a company may keep', async () => {
  const { id } = world.installer.company
  assert.equal((await done('company', 'quota', id)).limit, '100 GB (default)')
  assert.equal((await done('company', 'quota', id, '1.5TB')).limitBytes, 1.5e12)
  assert.equal((await done('company', 'quota', id, 'none')).limitBytes, null)
  await done('company', 'quota', 'default', '250GB')
  assert.equal((await done('company', 'quota', id, 'default')).limitBytes, 250e9)
  const wrong = await run('company', 'quota', id, 'lots')
  assert.deepEqual([wrong.code, /250GB or 500MB/.test(wrong.stderr)], [1, true])
})
