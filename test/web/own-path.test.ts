import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from '../../web/routes/own-path.ts'

const origin = 'https://sun.example.com'

test('after signing in one goes to a page of ours, whatever a link says', () => {
  assert.equal(ownPath('/leads/lead_1?tab=files#top', origin), '/leads/lead_1?tab=files#top')
  assert.equal(ownPath(undefined, origin), undefined)
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/leads/..//evil.example',
    'javascript:alert(1)',
    'evil',
    '',
  ]) {
    const path = ownPath(to, origin)
    assert.ok(
      path === undefined || new URL(path, origin).origin === origin,
      `${JSON.stringify(to)} → ${path}`,
    )
  }
})
