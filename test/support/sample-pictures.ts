import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

type Size = { width: number; height: number }

/** Red on its left half, blue on its right. */
export function twoColours({ width, height }: Size): Sharp {
  const left = { width: Math.floor(width / 2), height, channels: 3 as const, background: '#f00' }
  return sharp({ create: { width, height, channels: 3, background: '#00f' } }).composite([
    { input: { create: left }, left: 0, top: 0 },
  ])
}

/** As a phone held upright writes it: on its side, with a note on how to turn it, and where it was taken. */
export function phonePhoto({ width, height }: Size): Promise<Buffer> {
  return twoColours({ width, height })
    .jpeg()
    .withExif({ IFD0: { Make: 'Acme phones' }, IFD3: { GPSLatitude: '32/1 42/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
}

/** Black pixels without end in a few kilobytes. */
export function pngBomb({ width, height }: Size): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Colour of one pixel as [red, green, blue, and alpha where there is one]. */
export async function pixel(picture: Buffer, left: number, top: number): Promise<number[]> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = (top * info.width + left) * info.channels
  return [...data.subarray(at, at + info.channels)]
}
