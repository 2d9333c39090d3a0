import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, afterEach, before, test } from 'node:test'
import { type FileStore, newFileKey, StoreUnavailable } from '../../../src/platform/file-store/file-store.ts'
import { readS3Settings, type S3Settings } from '../../../src/platform/file-store/s3/settings.ts'
import { type S3StoreOptions, s3Store } from '../../../src/platform/file-store/s3/store.ts'
import { bucket, type Manner, refuse, startS3, type TestS3 } from '../../support/s3-server.ts'

let s3: TestS3
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 's3-store-'))
  s3 = await startS3()
})
after(() => rm(folder, { recursive: true }))

const opened: FileStore[] = []
afterEach(async () => {
  s3.play(null)
  s3.asked.length = 0
  for (const store of opened.splice(0)) await store.close()
})

const partBytes = 5 * 1024 * 1024
const mebibyte = 1024 * 1024

function newStore(changed: Partial<S3Settings> = {}, options: Partial<S3StoreOptions> = {}): FileStore {
  const problems: string[] = []
  const settings = readS3Settings(s3.env.STORAGE_URL!, s3.env, problems)
  assert.deepEqual(problems, [])
  const limits = { attempts: 3, firstPauseMs: 1, connectMs: 30_000, answerMs: 60_000, silenceMs: 60_000 }
  const store = s3Store(
    { ...settings!, ...changed },
    {
      tempPath: join(folder, 'receiving'),
      sizes: { wholeBytes: 6 * mebibyte, partBytes },
      ...options,
      limits: { ...limits, ...options.limits },
    },
  )
  opened.push(store)
  return store
}

async function putBytes(store: FileStore, bytes: Buffer, key = newFileKey()): Promise<string> {
  const temp = await store.tempFile()
  try {
    await writeFile(temp.path, bytes)
    await store.put(key, temp.path)
  } finally {
    await temp.discard()
  }
  return key
}

const read = async (store: FileStore, key: string, range?: { start: number; end: number }) =>
  buffer((await store.open(key, range))!.stream)

const unavailable = (message: RegExp) => (error: Error) => {
  assert.ok(error instanceof StoreUnavailable, String(error))
  assert.match(error.message, message)
  return true
}

/** Answers the first of the calls that fit in another way; the others as usual. */
function once(method: string, fits: (query: URLSearchParams) => boolean, work: Manner): Manner {
  let done = false
  return (asked, raw) => {
    if (done || asked.method !== method || !fits(asked.query)) return null
    done = true
    return work(asked, raw)
  }
}
const any = () => true

test('keeps a file under its prefix, gives back all and parts of it, and removes it', async () => {
  const store = newStore()
  await store.check()
  const bytes = randomBytes(100_000)
  const key = await putBytes(store, bytes)
  assert.deepEqual(await s3.names(), [`kept/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`])
  assert.deepEqual(await readdir(join(folder, 'receiving')), [])
  const stored = await store.open(key)
  assert.equal(stored?.size, 100_000)
  assert.deepEqual(await buffer(stored!.stream), bytes)
  assert.deepEqual(await read(store, key, { start: 10, end: 19 }), bytes.subarray(10, 20))
  assert.deepEqual(await read(store, key, { start: 99_990, end: 200_000 }), bytes.subarray(99_990))
  assert.equal(await store.size(key), 100_000)
  const listed = await Array.fromAsync(store.list())
  assert.deepEqual(
    listed.map((one) => one.key),
    [key],
  )
  assert.ok(Math.abs(listed[0]!.modifiedMs - Date.now()) < 60_000)
  await store.remove(key)
  await store.remove(key)
  assert.equal(await store.size(key), null)
  assert.equal(await store.open(key), null)

  const empty = await putBytes(store, Buffer.alloc(0))
  assert.equal((await read(store, empty)).length, 0)
  assert.equal(await store.size(empty), 0)
  await store.remove(empty)
  await assert.rejects(async () => store.open('../../etc/passwd'), /file key/)
})

test('sends what is large in parts, each checked by the store, and holds none of it in memory', async () => {
  const store = newStore()
  const bytes = randomBytes(12 * mebibyte + 5)
  const key = await putBytes(store, bytes)
  const parts = s3.asked.filter(({ query }) => query.has('partNumber'))
  assert.deepEqual(
    parts.map(({ body }) => body.length).sort(),
    [2 * mebibyte + 5, partBytes, partBytes].sort(),
  )
  assert.ok(parts.every(({ headers }) => headers['x-amz-checksum-sha256']))
  assert.equal(s3.uploads.size, 0)
  assert.ok((await read(store, key)).equals(bytes))
  assert.ok(
    (await read(store, key, { start: partBytes - 3, end: partBytes + 3 })).equals(
      bytes.subarray(partBytes - 3, partBytes + 4),
    ),
  )
  await store.remove(key)
})

test('writes a key once', async () => {
  const store = newStore()
  for (const size of [100, 7 * mebibyte]) {
    const key = await putBytes(store, randomBytes(size))
    await assert.rejects(putBytes(store, randomBytes(size), key), /in the store already/)
    assert.equal(await store.size(key), size)
    assert.equal(s3.uploads.size, 0)
    await store.remove(key)
  }
})

test('a store that knows no conditional writes, or refuses them, is asked before', async () => {
  const ignoring: Manner = async (asked) => {
    if (asked.method !== 'PUT' || !asked.headers['if-none-match']) return null
    return s3.pass(asked)
  }
  const refusing: Manner = async ({ method, headers }) =>
    method === 'PUT' && headers['if-none-match']
      ? refuse(501, 'NotImplemented', '<Header>If-None-Match</Header>')
      : null
  const vague: Manner = async ({ headers }) =>
    headers['if-none-match'] || headers['x-amz-checksum-sha256'] ? refuse(400, 'InvalidArgument') : null

  s3.play(ignoring)
  const careless = newStore()
  const first = await putBytes(careless, Buffer.from('first'))
  assert.equal((await read(careless, first)).toString(), 'first')
  for (const manner of [refusing, vague]) {
    s3.play(manner)
    const store = newStore()
    const key = await putBytes(store, Buffer.from('once'))
    await assert.rejects(putBytes(store, Buffer.from('twice'), key), /in the store already/)
    assert.equal((await read(store, key)).toString(), 'once')
    s3.asked.length = 0
    await putBytes(store, Buffer.from('third'))
    assert.equal(
      s3.asked.filter(({ method }) => method === 'PUT').length,
      1,
      'what was refused is not sent again',
    )
  }
})

test('a store that refuses checksum headers gets none, whole and in parts', async () => {
  s3.play(async ({ headers }) =>
    Object.keys(headers).some((name) => name.startsWith('x-amz-checksum') || name.startsWith('x-amz-sdk'))
      ? refuse(400, 'InvalidRequest', '<Header>x-amz-checksum-sha256</Header>')
      : null,
  )
  for (const size of [100, 7 * mebibyte]) {
    const store = newStore()
    const bytes = randomBytes(size)
    const key = await putBytes(store, bytes)
    assert.ok((await read(store, key)).equals(bytes))
    // The condition was not at fault and stays.
    assert.ok(s3.asked.some(({ headers }) => headers['if-none-match'] === '*'))
    await assert.rejects(putBytes(store, bytes, key), /in the store already/)
  }
})

test('speaks to the bucket in the path and in the host, and shows its session', async () => {
  const lookup: NonNullable<S3StoreOptions['limits']>['lookup'] = (_name, { all }, done) =>
    all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
  const store = newStore(
    { style: 'host', endpoint: `http://s3.store.example:${s3.port}`, sessionToken: 'a-session' },
    { limits: { lookup } },
  )
  await store.check()
  const { headers } = s3.asked[0]!
  assert.equal(headers.host, `${bucket}.s3.store.example:${s3.port}`)
  assert.equal(headers['x-amz-security-token'], 'a-session')
  s3.asked.length = 0
  await newStore().check()
  assert.equal(s3.asked[0]!.headers.host, `127.0.0.1:${s3.port}`)
})

test('asks a busy store again, and tells of one that stays busy', async () => {
  const store = newStore()
  let left = 2
  s3.play(async () => (left-- > 0 ? refuse(503, 'SlowDown') : null))
  const key = await putBytes(store, Buffer.from('at last'))
  left = 2
  assert.equal((await read(store, key)).toString(), 'at last')
  left = 1_000
  await assert.rejects(store.size(key), unavailable(/503/))
  await assert.rejects(putBytes(store, randomBytes(7 * mebibyte)), unavailable(/SlowDown/))
  s3.play(null)
  assert.equal(await store.size(key), 7)
  assert.deepEqual(await readdir(join(folder, 'receiving')), [])
})

test('an answer that was lost is not taken for another file', async () => {
  const store = newStore()
  const bytes = randomBytes(1_000)
  // The store has it, and breaks off before it says so.
  s3.play(
    once('PUT', any, async (asked, raw) => {
      await s3.pass(asked)
      raw.destroy()
      return 'answered' as const
    }),
  )
  const key = await putBytes(store, bytes)
  assert.ok((await read(store, key)).equals(bytes))
})

test('a large upload that fails leaves no parts; those of killed processes are swept', async () => {
  const store = newStore()
  s3.play(async ({ query }) => (query.get('partNumber') === '2' ? refuse(500, 'InternalError') : null))
  await assert.rejects(putBytes(store, randomBytes(12 * mebibyte)), unavailable(/500/))
  assert.equal(s3.uploads.size, 0)
  // Said in the body of an answer that began well.
  s3.play(async ({ method, query }) =>
    method === 'POST' && query.has('uploadId') ? { ...refuse(200, 'InternalError'), status: 200 } : null,
  )
  await assert.rejects(putBytes(store, randomBytes(12 * mebibyte)), unavailable(/together/))
  assert.equal(s3.uploads.size, 0)

  const key = newFileKey()
  const path = `/kept/${key.slice(0, 2)}/${key.slice(2, 4)}/${key}`
  s3.play(null)
  s3.uploads.set('killed', { path, begunMs: Date.now() - 7_200_000 })
  s3.uploads.set('under-way', { path, begunMs: Date.now() })
  s3.uploads.set('somebody-elses', { path: '/kept/report.pdf', begunMs: 0 })
  assert.equal(await store.clearStaleTemps(3_600_000), 1)
  assert.deepEqual([...s3.uploads.keys()], ['under-way', 'somebody-elses'])
  s3.uploads.clear()
  s3.play(async ({ query }) => (query.has('uploads') ? refuse(501, 'NotImplemented') : null))
  assert.equal(await store.clearStaleTemps(3_600_000), 0)
})

test('goes on with a read that was cut off, and never takes a part for the whole', async () => {
  const store = newStore()
  const bytes = randomBytes(200_000)
  const key = await putBytes(store, bytes)
  /** Sends so much of what was asked for, and breaks off. */
  const cut =
    (after: number): Manner =>
    async (asked, raw) => {
      const { status, headers, body } = await s3.pass(asked)
      raw.writeHead(status, { ...headers, 'content-length': String(body.length) })
      raw.write(body.subarray(0, after), () => raw.destroy())
      return 'answered' as const
    }
  s3.play(once('GET', any, cut(50_000)))
  assert.ok((await read(store, key)).equals(bytes))
  assert.match(s3.asked.at(-1)!.headers.range ?? '', /^bytes=\d+-199999$/)
  assert.ok(s3.asked.at(-1)!.headers['if-match'])

  s3.play(async (asked, raw) => (asked.method === 'GET' ? cut(10)(asked, raw) : null))
  await assert.rejects(read(store, key), unavailable(/broke off/))

  // Ends as if all were well, after less than there is.
  s3.play(async (asked) => {
    if (asked.method !== 'GET') return null
    const given = await s3.pass(asked)
    return { ...given, body: given.body.subarray(0, 1_000) }
  })
  await assert.rejects(read(store, key), unavailable(/which part|broke off/))
  s3.play(async (asked, raw) => {
    if (asked.method !== 'GET') return null
    const given = await s3.pass(asked)
    const { 'content-length': _length, ...headers } = given.headers
    raw.writeHead(given.status, { ...headers, 'transfer-encoding': 'chunked' })
    raw.end(given.body.subarray(0, 1_000))
    return 'answered' as const
  })
  await assert.rejects(read(store, key), unavailable(/broke off/))

  // Silent in the middle.
  const impatient = newStore({}, { limits: { silenceMs: 500 } })
  s3.play(
    once('GET', any, async (asked, raw) => {
      const { status, headers, body } = await s3.pass(asked)
      raw.writeHead(status, { ...headers, 'content-length': String(body.length) })
      raw.write(body.subarray(0, 70_000))
      return 'answered' as const
    }),
  )
  assert.ok((await read(impatient, key)).equals(bytes))
})

test('an ETag that is no hash is fine; one that changes in the middle is not', async () => {
  const store = newStore()
  let etag = '"not-a-hash"'
  s3.play(async (asked) => {
    const given = await s3.pass({ ...asked, headers: { ...asked.headers } })
    return { ...given, headers: { ...given.headers, etag } }
  })
  const bytes = randomBytes(100_000)
  const key = await putBytes(store, bytes)
  assert.ok((await read(store, key)).equals(bytes))
  let cuts = 0
  s3.play(async (asked, raw) => {
    if (asked.method !== 'GET') return null
    const { status, headers, body } = await s3.pass(asked)
    etag = `"${cuts++}"`
    raw.writeHead(status, { ...headers, etag, 'content-length': String(body.length) })
    raw.write(body.subarray(0, 10_000), () => raw.destroy())
    return 'answered' as const
  })
  await assert.rejects(read(store, key), unavailable(/changed/))
})

test('reads from a store that sends all of a file, whatever part is asked for', async () => {
  const store = newStore()
  const bytes = randomBytes(50_000)
  const key = await putBytes(store, bytes)
  s3.play(async (asked) => {
    if (asked.method !== 'GET') return null
    const { range: _range, ...headers } = asked.headers
    return s3.pass({ ...asked, headers })
  })
  assert.ok((await read(store, key)).equals(bytes))
  assert.ok((await read(store, key, { start: 100, end: 199 })).equals(bytes.subarray(100, 200)))
})

test('finds the region that the store names, follows nobody elsewhere, and sets its clock', async () => {
  const inRegion = (headers: { authorization?: string | undefined }) =>
    headers.authorization?.includes('/ap-south-2/s3/')
  s3.play(async ({ headers }) => {
    if (inRegion(headers)) return null
    const given = refuse(301, 'PermanentRedirect')
    return { ...given, headers: { ...given.headers, 'x-amz-bucket-region': 'ap-south-2' } }
  })
  const store = newStore()
  await store.check()
  s3.asked.length = 0
  await store.check()
  assert.ok(
    s3.asked.every(({ headers }) => inRegion(headers)),
    'the region is asked for once',
  )

  s3.play(async () => {
    const given = refuse(307, 'TemporaryRedirect')
    return { ...given, headers: { ...given.headers, location: 'https://elsewhere.example/files/x' } }
  })
  await assert.rejects(newStore().check(), unavailable(/elsewhere\.example.*endpoint/))

  let skewed = 0
  s3.play(async ({ headers }) => {
    const said = headers['x-amz-date'] as string
    const at = Date.parse(said.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'))
    const theirs = Date.now() + 3_600_000
    if (Math.abs(theirs - at) < 900_000) return refuse(404, 'NoSuchKey')
    skewed++
    const given = refuse(403, 'RequestTimeTooSkewed')
    return { ...given, headers: { ...given.headers, date: new Date(theirs).toUTCString() } }
  })
  const late = newStore()
  assert.equal(await late.open(newFileKey()), null)
  assert.equal(await late.open(newFileKey()), null)
  assert.equal(skewed, 1)
})

test('says what to change where it is not let in, and nothing that is secret', async () => {
  const cases: [Partial<S3Settings>, RegExp][] = [
    [{ secretAccessKey: 'not-the-key-of-this-store' }, /AWS_SECRET_ACCESS_KEY/],
    [{ accessKeyId: 'NOBODY' }, /AWS_ACCESS_KEY_ID/],
    [{ bucket: 'not-there' }, /bucket of STORAGE_URL does not exist/],
  ]
  for (const [changed, message] of cases) {
    const error = await newStore(changed)
      .check()
      .then(
        () => assert.fail('it was let in'),
        (failure: StoreUnavailable) => failure,
      )
    unavailable(message)(error)
    assert.equal(error.passing, false)
    assert.doesNotMatch(error.message, /not-the-key/)
  }
})

test('a store that is away is told as such at once, and used again when it is back', async () => {
  const store = newStore()
  const key = await putBytes(store, Buffer.from('here'))
  await s3.away()
  await assert.rejects(store.open(key), unavailable(/ECONNREFUSED/))
  await assert.rejects(putBytes(store, Buffer.from('not now')), unavailable(/ECONNREFUSED/))
  assert.deepEqual(await readdir(join(folder, 'receiving')), [])
  await s3.back()
  assert.equal((await read(store, key)).toString(), 'here')

  s3.play(() => new Promise(() => {}))
  const before = s3.asked.length
  const patient = newStore({}, { limits: { answerMs: 1_000, attempts: 20 } })
  await assert.rejects(patient.size(key), unavailable(/took longer/))
  // Each try may take that long, and all of them not much longer.
  const tries = s3.asked.length - before
  assert.ok(tries >= 2 && tries <= 4, `${tries} tries`)
  const hanging = store.size(key)
  await store.close()
  await assert.rejects(hanging, unavailable(/stopping/))
})

test('lines that several hosts add are all there, and are put together when they are many', async () => {
  const [one, other] = [newStore(), newStore()]
  const lines = (store: FileStore) => store.sharedLines!('erased')
  assert.equal(await lines(one).read(), '')
  await Promise.all(Array.from({ length: 60 }, (_, i) => lines(i % 2 ? one : other).append([`{"i":${i}}`])))
  const found = async () => new Set((await lines(one).read()).trim().split('\n'))
  // Whoever reads while another puts them together misses none.
  const both = await Promise.all([one, other].map((store) => lines(store).read()))
  for (const text of both) assert.equal(new Set(text.trim().split('\n')).size, 60)
  assert.equal((await found()).size, 60)
  const pieces = (await s3.names()).filter((name) => name.startsWith('kept/lines/erased/'))
  assert.ok(pieces.length <= 2, 'two that read at once may each put them together')
  assert.equal((await found()).size, 60)
  const keys = (await Array.fromAsync(one.list())).map(({ key }) => key)
  assert.ok(keys.every((key) => !key.includes('lines')))
})

test('an address to which browsers are sent opens the file as what it is, for a minute', async () => {
  const store = newStore({ delivery: 'redirect' })
  const key = await putBytes(store, Buffer.from('a contract'))
  assert.equal(await newStore().deliveryAddress(key, { type: 'text/plain', disposition: 'inline' }), null)
  const disposition = `attachment; filename="a b.pdf"; filename*=UTF-8''a%20b.pdf`
  const address = await store.deliveryAddress(key, { type: 'application/pdf', disposition })
  const answer = await fetch(address!)
  assert.equal(await answer.text(), 'a contract')
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.equal(answer.headers.get('content-disposition'), disposition)
  assert.equal(new URL(address!).searchParams.get('X-Amz-Expires'), '60')
  const altered = address!.replace('attachment', 'inline')
  assert.equal((await fetch(altered)).status, 403)
  const elsewhere = newStore({ delivery: 'redirect', deliveryEndpoint: 'https://files.example.com' })
  const outside = await elsewhere.deliveryAddress(key, { type: 'application/pdf', disposition })
  assert.match(outside!, /^https:\/\/files\.example\.com\/files\/kept\//)
})

test('clears temp files of long ago', async () => {
  const store = newStore()
  const temp = await store.tempFile()
  assert.equal(await store.clearStaleTemps(60_000), 0)
  assert.equal((await stat(temp.path)).mode & 0o777, 0o600)
  assert.equal(await store.clearStaleTemps(-1_000), 1)
})
