import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ApiError, createClient, type FileContent } from '../../sdk/src/index.ts'
import { startApp } from '../support/app.ts'
import { createWorld, project } from '../support/factories.ts'
import { firstFail, startFaultyProxy } from '../support/faulty-proxy.ts'
import { temporaryFolder } from '../support/process.ts'
import { pdf, png } from '../support/sample-files.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer } = world
const client = createClient({ key: installer.key, baseUrl: app.url })
const { projectId } = await project(installer)

/** A document of so many bytes, each another. */
function document(bytes: number, seed: number): Buffer {
  const filled = Buffer.alloc(bytes)
  for (let i = 0; i + 4 <= bytes; i += 4) filled.writeUInt32LE(Math.imul(i + seed, 2_654_435_761) >>> 0, i)
  pdf.copy(filled)
  return filled
}

function streamed(bytes: Buffer, chunk = 65_536): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + chunk)))
      at += chunk
    },
  })
}

async function read(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

const fileOf = async (name: string) => {
  for await (const file of client.projects.listFiles(projectId, { limit: 2 }))
    if (file.name === name) return file
  return assert.fail(`${name} is not there`)
}

test('files go up from memory, from a disk and as a stream, and come down as they were', async () => {
  const folder = await temporaryFolder()
  after(() => folder.remove())
  const onDisk = document(300_000, 1)
  await writeFile(join(folder.path, 'plan.pdf'), onDisk)
  const big = document(5_000_000, 2)
  const contents: Record<string, [FileContent, Buffer]> = {
    'bytes.png': [png, png],
    'disk "ü".pdf': [await openAsBlob(join(folder.path, 'plan.pdf')), onDisk],
    'stream.pdf': [streamed(big), big],
    'opened.pdf': [() => streamed(document(70_000, 3), 1000), document(70_000, 3)],
  }
  for (const [name, [content, bytes]] of Object.entries(contents)) {
    const { files } = await client.projects.addFiles(projectId, {
      folder: 'planset',
      files: [{ name, content }],
    })
    assert.equal(files[0]?.added, true, name)
    const { url, size } = await fileOf(files[0]!.name)
    assert.equal(size, bytes.length)
    const download = await client.download(url)
    assert.equal(download.size, bytes.length)
    assert.equal(download.name, files[0]!.name)
    assert.ok((await read(download.stream)).equals(bytes), name)
  }
  const two = Object.keys(contents).map((name, i) => ({ name, content: document(1000 + i, 9 + i) }))
  assert.equal((await client.projects.addFiles(projectId, { folder: 'permit', files: two })).files.length, 4)
})

test('an upload whose answer is lost is sent again where its contents can be, and added once', async () => {
  const way = (cut: 'before' | 'after') => startFaultyProxy(app.url, firstFail({ cut }))
  for (const cut of ['before', 'after'] as const) {
    const { url, passed } = await way(cut)
    const failing = createClient({ key: installer.key, baseUrl: url })
    const bytes = document(100_000, cut.length * 100)
    const files = [{ name: `${cut}.pdf`, content: () => streamed(bytes) }]
    await failing.projects.addFiles(projectId, { folder: 'material', files })
    assert.equal(passed.length, 2)
    const { data } = await client.projects.listFiles(projectId, { folder: 'material', limit: 100 })
    assert.equal(data.filter(({ name }) => name === `${cut}.pdf`).length, 1)
  }
  const { url, passed } = await way('before')
  const once = [{ name: 'once.pdf', content: streamed(document(1000, 77)) }]
  const error = await createClient({ key: installer.key, baseUrl: url })
    .projects.addFiles(projectId, { folder: 'material', files: once })
    .catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ApiError && error.mayHaveHappened)
  assert.equal(passed.length, 1)
})

test('a download that is cut goes on where it was, and one that hears nothing ends', async () => {
  const bytes = document(8_000_000, 5)
  await client.projects.addFiles(projectId, {
    folder: 'other',
    files: [{ name: 'long.pdf', content: bytes }],
  })
  const { url } = await fileOf('long.pdf')
  const way = await startTcpProxy(() => [{ port: app.server.port }])
  const address = url.replace(app.url, `http://127.0.0.1:${way.port}`)
  const { stream } = await client.download(address)
  const reader = stream.getReader()
  const parts: Uint8Array[] = []
  let cuts = 0
  for (let length = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
    if (cuts < 3 && length > (cuts + 1) * 1_500_000) {
      cuts++
      way.cut()
    }
  }
  assert.equal(cuts, 3)
  assert.ok(Buffer.concat(parts).equals(bytes))

  const silent = await client.download(address, { timeoutMs: 3_000, maxRetries: 0 })
  const release = way.stall()
  await assert.rejects(read(silent.stream), /cut off/)
  release()
  const missing = await client.download(`${app.url}/files/1/nothing`).catch((thrown: unknown) => thrown)
  assert.ok(missing instanceof ApiError && missing.status === 404)
})

test('an invoice as PDF', async () => {
  const { id } = await client.catalog.billing.createInvoice({
    customer: { name: 'Ada' },
    line_items: [{ description: 'Power', unit_price: 100 }],
  })
  const { stream, type } = await client.catalog.billing.getInvoicePdf(id)
  assert.equal(type, 'application/pdf')
  assert.match((await read(stream)).toString('latin1'), /^%PDF-/)
})
