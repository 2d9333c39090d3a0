import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../support/process.ts'

const units = ['kB', 'kW', 'kWh', 'WebP']

/** Strings of any depth, with where they stand. */
function* textsOf(value: unknown, at: string): Generator<[at: string, text: string]> {
  if (typeof value === 'string') yield [at, value]
  else if (typeof value === 'object' && value)
    for (const [name, one] of Object.entries(value)) yield* textsOf(one, `${at}.${name}`)
}

test('what people read holds no name of the program', async () => {
  const files = globSync('web/texts/en/*.ts', { cwd: root })
  const found: string[] = []
  for (const file of files)
    for (const [at, text] of textsOf(await import(join(root, file)), file))
      for (const word of text.match(/\b[A-Za-z]*[a-z][A-Z]\w*/g) ?? [])
        if (!units.includes(word)) found.push(`${at}: ${word}`)
  assert.ok(files.length > 20, `${files.length} files`)
  assert.deepEqual(found, [])
})
