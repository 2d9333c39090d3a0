import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, startApp } from '../../support/app.ts'
import { createWorld, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { pdf, png } from '../../support/sample-files.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const text = 'Hello, <b>you</b>.\n'
const contents: Record<string, string | Buffer> = {
  '/a.png': png,
  '/a.pdf': pdf,
  '/a.svg': svg,
  '/a.txt': text,
  '/lie.png': svg,
}
const outside = await startHttpsServer((request, response) =>
  response.end(contents[request.url!.split('?')[0]!]),
)
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
const { installer, other } = await createWorld(app.database.db)
const { key } = installer
const { projectId } = await project(installer)
after(() => outside.close())

let added = 0
/** The path of a copy's address. */
async function copy(path: string, name?: string): Promise<string> {
  const body = {
    folder: 'other',
    files: [{ url: `${outside.url}${path}?${++added}`, ...(name ? { name } : {}) }],
  }
  const answer = await app.call('POST', `/v1/projects/${projectId}/files`, { key, body })
  assert.equal(answer.status, 201, answer.text)
  const { files } = (await app.get(`/v1/projects/${projectId}`, key)).body
  return files.other.at(-1).slice(app.url.length)
}
const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  app.send(method, path, { headers })

test('each copy is served with its own type, and nothing in it can run', async () => {
  const kinds: [string, string, 'inline' | 'attachment'][] = [
    ['/a.png', 'image/png', 'inline'],
    ['/a.txt', 'text/plain; charset=utf-8', 'inline'],
    ['/a.pdf', 'application/pdf', 'attachment'],
    ['/a.svg', 'image/svg+xml', 'attachment'],
    ['/lie.png', 'image/svg+xml', 'attachment'],
  ]
  for (const [path, type, disposition] of kinds) {
    const { status, headers, text } = await get(await copy(path))
    assert.equal(status, 200)
    assert.equal(headers['content-type'], type)
    assert.match(headers['content-disposition']!, new RegExp(`^${disposition}; `))
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(headers['content-security-policy']!, /default-src 'none'.*sandbox(?! allow)/)
    assert.match(headers['x-request-id']!, /\S/)
    assert.equal(headers['content-length'], String(Buffer.byteLength(contents[path]!)))
    if (type !== 'image/png') assert.equal(text, contents[path]!.toString())
  }
})

test('a name ends as what the file is, in any script, and cannot break out of its header', async () => {
  const disposition = async (path: string, name: string) =>
    (await get(await copy(path, name))).headers['content-disposition']!
  assert.match(await disposition('/a.png', 'Déck 🌞.png'), /filename\*=UTF-8''D%C3%A9ck%20%F0%9F%8C%9E\.png/)
  assert.match(await disposition('/a.svg', 'photo.png'), /filename="photo\.png\.svg"/)
  assert.match(await disposition('/a.pdf', 'PLAN.PDF'), /filename="PLAN\.PDF"/)
  const quoted = await disposition('/a.pdf', 'a"; filename="b.html\r\nx-evil: 1/..\\c.pdf')
  assert.doesNotMatch(quoted, /[\r\n]/)
  assert.equal(quoted.match(/"/g)!.length, 2)
})

test('parts are served as asked', async () => {
  const path = await copy('/a.txt')
  const size = text.length
  const parts: [string, string, string][] = [
    ['bytes=0-4', 'Hello', `bytes 0-4/${size}`],
    ['bytes=7-', text.slice(7), `bytes 7-${size - 1}/${size}`],
    ['bytes=-3', text.slice(-3), `bytes ${size - 3}-${size - 1}/${size}`],
    ['bytes=-999', text, `bytes 0-${size - 1}/${size}`],
    ['bytes=5-999', text.slice(5), `bytes 5-${size - 1}/${size}`],
  ]
  for (const [range, part, contentRange] of parts) {
    const answer = await get(path, { range })
    assert.deepEqual(
      [answer.status, answer.text, answer.headers['content-range']],
      [206, part, contentRange],
      range,
    )
    assert.equal(answer.headers['content-length'], String(part.length))
  }
  for (const range of [`bytes=${size}-`, 'bytes=999-1000', 'bytes=-0']) {
    const answer = await get(path, { range })
    assert.deepEqual(
      [answer.status, answer.text, answer.headers['content-range']],
      [416, '', `bytes */${size}`],
      range,
    )
  }
  for (const range of ['bytes=a-b', 'lines=1-2', 'bytes=0-1,3-4', 'bytes=-', 'bytes=5-2']) {
    const answer = await get(path, { range })
    assert.deepEqual([answer.status, answer.text], [200, text], range)
  }
})

test('HEAD tells the size without the bytes, and a known ETag is 304', async () => {
  const path = await copy('/a.png')
  const whole = await get(path)
  const head = await get(path, {}, 'HEAD')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers['content-length'], String(png.length))
  assert.equal(head.headers['content-type'], 'image/png')
  const { etag } = whole.headers
  assert.match(etag!, /^"[0-9a-f]{64}"$/)
  for (const known of [etag!, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await get(path, { 'if-none-match': known })
    assert.deepEqual([answer.status, answer.text], [304, ''], known)
  }
  assert.equal((await get(path, { 'if-none-match': '"x"' })).status, 200)
})

test('an unknown, altered or revoked address is 404', async () => {
  const path = await copy('/a.png')
  const [, , number, token, name] = path.split('/')
  const wrong = [
    `/files/${number}/${token!.slice(0, -1)}/${name}`,
    `/files/${number}/${token!.slice(0, -1)}${token!.endsWith('A') ? 'B' : 'A'}/${name}`,
    `/files/${other.company.number}/${token}/${name}`,
    `/files/x/${token}/${name}`,
    `/files/${number}/${token}`,
    `/files/99999999999/${token}/${name}`,
    `/files/${number}/%00/${name}`,
    `/files/${number}/..%2f..%2fetc/passwd`,
  ]
  for (const url of wrong) assert.equal((await app.call('GET', url)).status, 404, url)
  assert.equal((await get(`/files/${number}/${token}/other-name.png`)).status, 200)
  await app.database.rows('update files set revoked_at = now() where token = $1', [token])
  assert.equal((await app.call('GET', path)).status, 404)
})
