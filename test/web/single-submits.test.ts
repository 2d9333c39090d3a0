import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../support/process.ts'

/** What sets a value where it stands: twice the same is once, and each press is another wish. */
const setters = [
  'web/api/use-submit.ts',
  'web/notifications/use-notifications.ts',
  'web/pages/board/moves.ts',
  'web/pages/calendar/use-calendar.ts',
  'web/pages/lead/use-lead.ts',
  'web/pages/project/use-project.ts',
  'web/ui/use-order.ts',
]

test('every form and button sends by useSubmit, whose key the server remembers', () => {
  const others = globSync('web/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !setters.includes(file) && /\buseMutation\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(others, [], 'these may send twice what was pressed twice: use useSubmit')
})

test('what useSubmit sends has the key of the form', () => {
  const forgotten = globSync('web/**/*.{ts,tsx}', { cwd: root }).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [...source.matchAll(/useSubmit\(\{\s*mutationFn:([\s\S]*?)\n {4}\w+:/g)]
      .filter(([, body]) => /\bapi\.(post|put|patch|delete)\b/.test(body!) && !/\bsubmission\b/.test(body!))
      .map(([, body]) => `${file}: ${body!.trim().slice(0, 80)}`)
  })
  assert.deepEqual(forgotten, [])
})
