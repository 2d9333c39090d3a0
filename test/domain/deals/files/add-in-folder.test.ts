import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addFiles } from '../../../../src/domain/deals/files/add-files.ts'
import { createCopyQueue } from '../../../../src/domain/deals/files/copy-files.ts'
import { type Folder, folders } from '../../../../src/domain/kernel/folder.ts'
import { startCopying } from '../../../support/copying.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld, member, project } from '../../../support/factories.ts'
import { png } from '../../../support/sample-files.ts'

const database = await createTestDatabase()
const outside = await startCopying()
after(async () => {
  await outside.close()
  await database.drop()
})

test('people add by address where they may add: a folder closed to them is refused before anything is fetched', async () => {
  const world = await createWorld(database.db)
  const { installer } = world
  const surveyor = await member(world, installer, 'Sue Vey', 'surveyor')
  const { projectId } = await project(installer, {}, { siteSurveyorId: surveyor.id })
  const ctx = installer.as()
  const theirs = { ...ctx, actor: { ...ctx.actor, id: surveyor.id, role: surveyor.role } }
  const copying = {
    copier: outside.copier(),
    line: createCopyQueue(),
    store: outside.store,
    trustedHosts: new Set([new URL(outside.address()).host]),
  }
  outside.answerWith((_request, response) => response.end(png))
  const addTo = (folder: Folder) =>
    addFiles(theirs, copying, projectId, { folder, files: [{ url: outside.address('/roof.png') }] })

  const open: Folder[] = ['siteSurvey', 'installationPhoto']
  for (const folder of folders.filter((one) => !open.includes(one)))
    await assert.rejects(addTo(folder), { code: 'forbidden', message: /^You can’t add files to “/ }, folder)
  assert.equal(outside.server.connections(), 0)
  for (const folder of open) assert.equal((await addTo(folder))[0]!.added, true, folder)
})
