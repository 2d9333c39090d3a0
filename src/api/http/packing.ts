import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Coding = 'gzip' | 'br'

/** Below, a thread takes longer to pack it than most lines to send what is saved (decision 35). */
const worthwhileBytes = 4_096
/** The threads that pack also read files and check passwords: beyond this, an answer goes as it is. */
const maxAtOnce = 2

const gzipQuickly = promisify(gzip)
const brotliQuickly = promisify(brotliCompress)

/** The coding of a caller's that is packed soonest, by its `Accept-Encoding`; null where none will do. */
export function codingFor(header: string | undefined): Coding | null {
  if (!header) return null
  const taken = new Map<string, boolean>()
  for (const one of header.toLowerCase().split(',')) {
    const [name = '', ...weights] = one.split(';').map((part) => part.trim())
    taken.set(name, !weights.some((weight) => /^q=0(\.0*)?$/.test(weight)))
  }
  const takes = (name: Coding) => taken.get(name) ?? taken.get('*') ?? false
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : null
}

let underWay = 0

/** The bytes, packed beside the event loop; null where they go sooner as they are. */
export function pack(bytes: Buffer, coding: Coding): Promise<Buffer> | null {
  if (bytes.length < worthwhileBytes || underWay >= maxAtOnce) return null
  underWay++
  const packing =
    coding === 'gzip'
      ? gzipQuickly(bytes, { level: 1 })
      : brotliQuickly(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: 1,
            [constants.BROTLI_PARAM_LGWIN]: 18,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        })
  return packing.finally(() => underWay--)
}
