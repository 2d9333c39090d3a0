import assert from 'node:assert/strict'
import { cp, mkdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as here from '../../bin/built.js'
import { root, temporaryFolder } from '../support/process.ts'

test('the servers of these tests are what is built of the sources', () => {
  assert.ok(here.isBuilt())
})

describe('what is built', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let there: typeof here
  const source = (name: string) => join(folder.path, 'src', name)

  before(async () => {
    folder = await temporaryFolder()
    await cp(join(root, 'bin/built.js'), join(folder.path, 'bin/built.js'))
    await writeFile(join(folder.path, 'package.json'), '{ "type": "module" }')
    await mkdir(join(folder.path, 'src/below'), { recursive: true })
    await mkdir(join(folder.path, 'dist/server'), { recursive: true })
    there = await import(pathToFileURL(join(folder.path, 'bin/built.js')).href)
  })

  after(() => folder.remove())

  beforeEach(async () => {
    await writeFile(source('main.ts'), '1')
    await writeFile(source('below/part.ts'), '2')
    await writeFile(there.builtOf, there.fingerprint())
    assert.ok(there.isBuilt())
  })

  test('is of no other sources: one of another length', async () => {
    await writeFile(source('below/part.ts'), '22')
    assert.ok(!there.isBuilt())
  })

  test('nor one that is older, as those of an archive are', async () => {
    await utimes(source('below/part.ts'), 1_700_000_000, 1_700_000_000)
    assert.ok(!there.isBuilt())
  })

  test('nor one that has another name', async () => {
    await rename(source('below/part.ts'), source('below/other.ts'))
    assert.ok(!there.isBuilt())
    await rename(source('below/other.ts'), source('below/part.ts'))
  })
})
