import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { startApp } from '../../support/app.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { createWorld, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { isoMedia, jpeg, pdf } from '../../support/sample-files.ts'
import { phonePhoto, pngBomb, twoColours } from '../../support/sample-pictures.ts'

const whole = await twoColours({ width: 640, height: 480 }).jpeg().toBuffer()
const contents: Record<string, string | Buffer> = {
  '/photo.jpg': await phonePhoto({ width: 4000, height: 3000 }),
  '/drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>',
  '/plan.pdf': pdf,
  '/phone.heic': isoMedia('heic'),
  '/broken.jpg': jpeg,
  '/torn.jpg': whole.subarray(0, whole.length / 2),
  '/bomb.png': pngBomb({ width: 30_000, height: 30_000 }),
}
const outside = await startHttpsServer((request, response) => response.end(contents[request.url!]))
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
const { installer, other } = await createWorld(app.database.db)
const { key } = installer
const { projectId } = await project(installer)
after(() => outside.close())

/** The thumbnail's path of each file, by the file's name. */
const paths: Record<string, string> = {}
for (const path of Object.keys(contents)) {
  const body = { folder: 'siteSurvey', files: [{ url: outside.url + path }] }
  const answer = await app.call('POST', `/v1/projects/${projectId}/files`, { key, body })
  assert.equal(answer.status, 201, answer.text)
  const { files } = (await app.get(`/v1/projects/${projectId}`, key)).body
  paths[path] = files.siteSurvey.at(-1).slice(app.url.length).replace('/files/', '/thumbnails/')
}
const fetchPicture = async (path: string) => Buffer.from(await (await fetch(app.url + path)).arrayBuffer())

test('a picture is answered small, as WebP, and nothing in it can run', async () => {
  const { status, headers } = await app.send('GET', paths['/photo.jpg']!)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'image/webp')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox")
  assert.equal(headers['cross-origin-resource-policy'], 'same-site')
  assert.equal(headers['cache-control'], 'private, no-cache')
  const { format, width, height } = await sharp(await fetchPicture(paths['/photo.jpg']!)).metadata()
  assert.deepEqual([format, width, height], ['webp', 360, 480])
})

test('HEAD tells the size without the bytes, and a known ETag is 304', async () => {
  const path = paths['/photo.jpg']!
  const head = await app.send('HEAD', path)
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers['content-type'], 'image/webp')
  assert.equal(head.headers['content-length'], String((await fetchPicture(path)).length))
  const etag = head.headers.etag!
  assert.match(etag, /^"[0-9a-f]{64}-480"$/)
  // Taken out of the store, it can be answered only without work.
  const [{ store_key: storeKey } = { store_key: '' }] = await app.database.rows<{ store_key: string }>(
    'select store_key from files where token = $1',
    [path.split('/')[3]],
  )
  const { store } = app.server.deps.copying
  await store.remove(storeKey)
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
    const answer = await app.send('GET', path, { headers: { 'if-none-match': known } })
    assert.deepEqual([answer.status, answer.text, answer.headers.etag], [304, '', etag], known)
  }
  assert.equal((await app.call('GET', path, { headers: { 'if-none-match': '"x"' } })).status, 404)
})

test('what is no picture or cannot be read is 404, quickly', async () => {
  for (const name of Object.keys(contents).filter((name) => name !== '/photo.jpg')) {
    const begun = cpuMs()
    const answer = await app.call('GET', paths[name]!)
    const ms = cpuMs() - begun
    assert.equal(answer.status, 404, name)
    assert.equal(answer.headers['cache-control'], 'no-store', name)
    assert.ok(ms < 1_000, `${name}: ${ms} ms`)
    assert.equal((await app.send('HEAD', paths[name]!)).status, 404, name)
  }
})

test('an unknown, altered or revoked address is 404', async () => {
  const path = paths['/torn.jpg']!
  const [, , number, token, name] = path.split('/')
  const wrong = [
    `/thumbnails/${number}/${token!.slice(0, -1)}${token!.endsWith('A') ? 'B' : 'A'}/${name}`,
    `/thumbnails/${other.company.number}/${token}/${name}`,
    `/thumbnails/x/${token}/${name}`,
    `/thumbnails/${number}/%00/${name}`,
    `/thumbnails/${number}/${token}`,
  ]
  for (const url of wrong) assert.equal((await app.call('GET', url)).status, 404, url)
  const photo = await app.call('POST', `/v1/projects/${projectId}/files`, {
    key,
    body: { folder: 'other', files: [{ url: `${outside.url}/photo.jpg` }] },
  })
  const [row] = await app.database.rows<{ token: string }>('select token from files where id = $1', [
    photo.body.files[0].id,
  ])
  const fresh = `/thumbnails/${number}/${row!.token}/photo.jpg`
  assert.equal((await app.send('GET', fresh)).status, 200)
  await app.database.rows('update files set revoked_at = now() where token = $1', [row!.token])
  assert.equal((await app.call('GET', fresh)).status, 404)
})

test('a crowd is told to come back: 503; those who hang up leave the line, and one who stays is served', async () => {
  const body = { folder: 'permit', files: [{ url: `${outside.url}/photo.jpg` }] }
  await app.call('POST', `/v1/projects/${projectId}/files`, { key, body })
  const { files } = (await app.get(`/v1/projects/${projectId}`, key)).body
  const path = files.permit[0].slice(app.url.length).replace('/files/', '/thumbnails/')
  const refusal = Promise.withResolvers<string>()
  const sockets = await Promise.all(
    Array.from({ length: 280 }, async () => {
      const socket = connect(app.server.port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.on('data', (bytes) => {
        if (bytes.includes('HTTP/1.1 503')) refusal.resolve(bytes.toString())
      })
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      return socket
    }),
  )
  assert.match(await refusal.promise, /retry-after: \d+.*"code":"unavailable"/s)

  for (const socket of sockets) socket.destroy()
  const begun = cpuMs()
  let answer = await app.send('GET', path)
  // Until the server has seen that they are gone.
  while (answer.status === 503) answer = await app.send('GET', path)
  const ms = cpuMs() - begun
  assert.equal(answer.status, 200)
  // The two hundred that waited would take many times as long.
  assert.ok(ms < 4_000, `${ms} ms`)
})
