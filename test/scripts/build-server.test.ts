import assert from 'node:assert/strict'
import { cp, mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as here from '../../bin/built.js'
import { root, run, temporaryFolder } from '../support/process.ts'

test('the servers of these tests are what is built of the sources', () => {
  assert.ok(here.entryPoint().isBuilt)
})

describe('what runs', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let there: typeof here
  const at = (path: string) => join(folder.path, path)

  before(async () => {
    folder = await temporaryFolder()
    await cp(join(root, 'bin'), at('bin'), { recursive: true })
    await cp(join(root, 'scripts'), at('scripts'), { recursive: true })
    await mkdir(at('src/below'), { recursive: true })
    there = await import(pathToFileURL(at('bin/built.js')).href)
  })

  after(() => folder.remove())

  beforeEach(async () => {
    await writeFile(at('package.json'), '{ "type": "module" }')
    await writeFile(at('src/main.ts'), '1')
    await writeFile(at('src/below/part.ts'), '2')
    await mkdir(there.buildOf(), { recursive: true })
    await writeFile(join(there.buildOf(), 'main.js'), '')
    assert.ok(there.entryPoint().isBuilt)
  })

  const sources = { path: '', isBuilt: false }

  test('is what was built, whatever the times of the sources', async () => {
    await utimes(at('src/below/part.ts'), 1_700_000_000, 1_700_000_000)
    assert.deepEqual(there.entryPoint(), { path: join(there.buildOf(), 'main.js'), isBuilt: true })
  })

  test('are the sources where one says something else, at the same time and in as many letters', async () => {
    const { atime, mtime } = await stat(at('src/below/part.ts'))
    await writeFile(at('src/below/part.ts'), '3')
    await utimes(at('src/below/part.ts'), atime, mtime)
    assert.deepEqual(there.entryPoint(), { ...sources, path: at('src/main.ts') })
  })

  test('are the sources where one has another name', async () => {
    await rename(at('src/below/part.ts'), at('src/below/other.ts'))
    assert.ok(!there.entryPoint().isBuilt)
    await rename(at('src/below/other.ts'), at('src/below/part.ts'))
  })

  test('are the sources where something else would build them', async () => {
    await writeFile(at('package.json'), '{ "type": "module", "dependencies": {} }')
    assert.ok(!there.entryPoint().isBuilt)
  })

  test('is built whole, and only what was built long ago is removed', async () => {
    const long = new Date(Date.now() - 48 * 3600 * 1000)
    const made = async (name: string, minutes: number, isWhole = true) => {
      const path = join(there.builds, name)
      await mkdir(path, { recursive: true })
      if (isWhole) await writeFile(join(path, 'main.js'), '')
      const at = new Date(long.getTime() + minutes * 60_000)
      await utimes(path, at, at)
      return path
    }
    await rm(there.builds, { recursive: true })
    for (const minutes of [1, 2, 3, 4]) await made(`old-${minutes}`, minutes)
    await made('building-broken-off', 5, false)
    await cp(join(root, 'src/platform/root.ts'), at('src/platform/root.ts'))
    await symlink(join(root, 'node_modules'), at('node_modules'))
    const { code, stderr } = await run([process.execPath, at('scripts/build-server.js')], {})
    assert.equal(code, 0, stderr)
    assert.ok(there.entryPoint().isBuilt)
    const kept = (await readdir(there.builds)).filter(
      (name) => name.startsWith('old') || name.startsWith('building'),
    )
    assert.deepEqual(kept, ['old-2', 'old-3', 'old-4'])
    await rm(at('node_modules'))
  })

  test('are the sources where they cannot be built, which is said and leaves nothing behind', async () => {
    await writeFile(at('src/main.ts'), '4')
    await symlink(folder.path, at('link'))
    const command = [process.execPath, at('link/scripts/build-server.js')]
    const { code, stderr } = await run(command, {})
    assert.equal(code, 1)
    assert.match(stderr, /The server could not be built, and runs from its sources/)
    const left = (await readdir(there.builds)).filter((name) => name.startsWith('building'))
    assert.deepEqual(left, [])
  })
})
