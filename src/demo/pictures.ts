import { crc32, deflateSync } from 'node:zlib'

const [width, height] = [320, 240]
const [pixelBytes, rowBytes] = [3, 1 + width * 3]

type Colour = readonly [red: number, green: number, blue: number]

const roofs: readonly Colour[] = [
  [148, 84, 62],
  [104, 104, 110],
  [126, 106, 84],
  [86, 96, 92],
]

const made = new Map<number, Buffer>()
const different = 12

/** A picture of a roof under the sky, one of a dozen, with or without panels on it. */
export function roofPicture(seed: number): Buffer {
  const kind = seed % different
  let png = made.get(kind)
  if (!png) {
    png = encoded(draw(roofs[kind % roofs.length]!, kind))
    made.set(kind, png)
  }
  return png
}

function draw(roof: Colour, kind: number): Buffer {
  const pixels = Buffer.alloc(height * rowBytes)
  const ridge = 70 + (kind % 3) * 15
  const panels = kind % 2 === 0
  for (let y = 0; y < height; y++) {
    // Each row begins with the byte that says it is not filtered.
    const row = y * rowBytes + 1
    const overhang = 40 - Math.floor(((y - ridge) * 40) / (height - ridge))
    for (let x = 0; x < width; x++) {
      const onRoof = y >= ridge && x >= overhang && x < width - overhang
      const onPanel =
        panels && y > ridge + 25 && y < 205 && x > 70 && x < 250 && (x - 70) % 36 > 2 && (y - ridge) % 40 > 2
      const light = (x * 30) / width
      const [red, green, blue] = onPanel
        ? [24 + light, 34 + light, 74 + light]
        : onRoof
          ? [roof[0] + light, roof[1] + light, roof[2] + light]
          : [120 + y / 3, 170 + y / 4, 230 - y / 8]
      const at = row + x * pixelBytes
      pixels[at] = red
      pixels[at + 1] = green
      pixels[at + 2] = blue
    }
  }
  return pixels
}

function encoded(pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8 + named.length)
  frame.writeUInt32BE(data.length, 0)
  named.copy(frame, 4)
  frame.writeUInt32BE(crc32(named), 4 + named.length)
  return frame
}
