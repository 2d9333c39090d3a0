import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { readableLine } from '../../src/platform/readable-log.ts'

const line = (fields: object) =>
  stripVTControlCharacters(
    readableLine(JSON.stringify({ level: 'info', time: '2026-03-04T05:06:07.890Z', ...fields })),
  )

test('a call is one line: what was asked, how it ended, and whose key', () => {
  const text = line({
    requestId: 'r1',
    method: 'GET',
    route: '/v1/leads',
    status: 200,
    ms: 3.1,
    key: 'psk_ab',
  })
  assert.match(text, /^\d\d:\d\d:07 info {2}GET \/v1\/leads 200 3\.1 ms requestId=r1 key=psk_ab\n$/)
})

test('a message comes before its fields, which are told apart by quotes', () => {
  const text = line({ level: 'warn', msg: 'a job failed', job: 'send mails', error: 'no "way" = out', n: 3 })
  assert.match(text, / warn {2}a job failed job="send mails" error="no \\"way\\" = out" n=3\n$/)
})

test('nothing that a caller sent moves the cursor, colours the screen or begins a line', () => {
  const hostile = 'a\u001b[2J\u001b]0;title\u0007b\r\nINFO forged\u2028x\u009b31m'
  for (const fields of [
    { msg: hostile },
    { requestId: hostile },
    { method: 'GET', route: hostile, status: 1, ms: 1 },
  ]) {
    const raw = readableLine(JSON.stringify({ level: 'info', time: '2026-03-04T05:06:07.890Z', ...fields }))
    assert.equal(raw.split('\n').length, 2, raw)
    assert.doesNotMatch(stripVTControlCharacters(raw), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/)
    assert.ok(!raw.includes('\u001b]0;'), 'no title is set')
  }
})

test('an error is followed by where it was thrown', () => {
  const text = line({
    level: 'error',
    msg: 'broken',
    err: { message: 'x', stack: 'Error: x\n    at f (a.ts:1:2)' },
  })
  assert.match(text, /error broken\nError: x\n {4}at f \(a\.ts:1:2\)\n$/)
})

test('what is no JSON is shown as it is', () => assert.equal(readableLine('odd\n'), 'odd\n'))

test('where there is no terminal, lines are JSON', async () => {
  const program = `
    const { createLog } = await import('./src/platform/log.ts')
    const log = createLog('info')
    log.info({ a: 1 }, 'hello')
    log.flush()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  await once(child, 'close')
  assert.deepEqual({ ...JSON.parse(out), time: 0 }, { level: 'info', time: 0, a: 1, msg: 'hello' })
})
