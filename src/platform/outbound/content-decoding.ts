import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { OutboundRefused } from './refused.ts'

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** Undoes a Content-Encoding, last one first. Two are more than any server has a reason to send. */
export function contentDecoders(header: string | string[] | undefined): Transform[] {
  const names = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity')
  if (names.length > 2 || names.some((name) => !Object.hasOwn(decoders, name))) {
    throw new OutboundRefused('leads to a server that sends the file in a packing we do not read')
  }
  return names.reverse().map((name) => decoders[name]!())
}

export function isDecodingError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(Z_|ERR__ERROR|ERR_BROTLI|ERR_ZLIB|ERR_TRAILING_JUNK|ZSTD_)/.test(code)
}
