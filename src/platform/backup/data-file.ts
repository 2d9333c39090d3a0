import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, type PathLike } from 'node:fs'
import { PassThrough, type Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Data } from './manifest.ts'

// Level 1 keeps up with the database on one core and packs rows to a fifth or less.
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } }
const newline = 0x0a

interface Meter {
  stream: Transform
  bytes: number
  lines: number
  digest(): string
}

/** Passes everything on and notes how much it was; `lines` only where it is asked for, as it takes time. */
function createMeter({ lines = false, hash = false }): Meter {
  const sha256 = createHash('sha256')
  const meter: Meter = {
    bytes: 0,
    lines: 0,
    digest: () => sha256.digest('hex'),
    stream: new Transform({
      transform(chunk: Buffer, _encoding, done) {
        meter.bytes += chunk.length
        if (hash) sha256.update(chunk)
        if (lines) {
          for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) meter.lines++
        }
        done(null, chunk)
      },
    }),
  }
  return meter
}

/** Writes lines to a new file, compressed, and answers what it holds; on disk when it resolves. */
export async function writeData(path: string, lines: Readable): Promise<Data> {
  const raw = createMeter({ lines: true })
  const stored = createMeter({ hash: true })
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: 1 << 20 })
  await pipeline(lines, raw.stream, createZstdCompress(compression), stored.stream, file)
  return { rows: raw.lines, bytes: raw.bytes, storedBytes: stored.bytes, sha256: stored.digest() }
}

/** Hands the lines of a file to a sink; rejects where it is not what the manifest says, before the sink is ended. */
export async function readData(path: string, data: Data, sink: Writable): Promise<void> {
  const raw = createMeter({ lines: true })
  const stored = createMeter({ hash: true })
  const damaged = () =>
    new Error(`${path} is damaged: it does not hold what was backed up. Use another backup.`)
  // The last step: what it refuses has not been ended, so nobody takes it for whole.
  const check = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush(done) {
      const same = raw.lines === data.rows && raw.bytes === data.bytes && stored.bytes === data.storedBytes
      done(same && stored.digest() === data.sha256 ? null : damaged())
    },
  })
  try {
    await pipeline(
      createReadStream(path, { highWaterMark: 1 << 20 }),
      stored.stream,
      createZstdDecompress(),
      raw.stream,
      check,
      sink,
    )
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`${path} is missing from the backup. Use another backup.`)
    if (code?.startsWith('ZSTD_error') || /zstd|Decompression|unexpected end/i.test(String(error)))
      throw damaged()
    throw error
  }
}

/** The lines of a file, one by one. Throws at the end of what is damaged. */
export async function* readLines(path: string, data: Data): AsyncGenerator<string> {
  const through = new PassThrough()
  const reading = readData(path, data, through)
  // Whoever stops early is no reader of a damaged file; what is damaged ends the loop below.
  reading.catch((error) => through.destroy(error))
  let rest = ''
  through.setEncoding('utf8')
  try {
    for await (const chunk of through) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } catch (error) {
    // In words, where the file itself is at fault.
    await reading
    throw error
  }
  await reading
}

/** SHA-256 and size of a file as it is. */
export async function digestOf(path: PathLike): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { sha256: hash.digest('hex'), bytes }
}
