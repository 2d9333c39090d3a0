/** Error correction of the lowest level, by version: what is read from a screen is neither dirty nor torn. */
const checkLengths = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28]
const blockCounts = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8]

/** A text as a QR code (ISO/IEC 18004, bytes, versions 1 to 20): rows of squares, true where they are dark. */
export function qrCode(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const version = versionFor(bytes.length)
  const size = version * 4 + 17
  const dark = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const taken = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const set = (x: number, y: number, value: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return
    dark[y]![x] = value
    taken[y]![x] = true
  }
  drawPatterns(version, size, set)
  fill(dark, taken, interleaved(version, dataOf(version, bytes)))
  return dark
}

type Set = (x: number, y: number, dark: boolean) => void

/** How many bytes a version holds, the checking ones too. */
function capacityOf(version: number): number {
  let squares = (16 * version + 128) * version + 64
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2
    squares -= (25 * marks - 10) * marks - 55
    if (version >= 7) squares -= 36
  }
  return Math.floor(squares / 8)
}

const dataLengthOf = (version: number) =>
  capacityOf(version) - checkLengths[version - 1]! * blockCounts[version - 1]!

function versionFor(length: number): number {
  for (let version = 1; version <= checkLengths.length; version++) {
    if (length + (version < 10 ? 2 : 3) <= dataLengthOf(version)) return version
  }
  throw new Error('the text is too long for a QR code')
}

/** Mode, length, the bytes, then padding. */
function dataOf(version: number, bytes: Uint8Array): Uint8Array {
  const lengthBits = version < 10 ? 8 : 16
  let bits = `0100${bytes.length.toString(2).padStart(lengthBits, '0')}`
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  bits += '0000'
  const data = new Uint8Array(dataLengthOf(version))
  const used = Math.ceil(bits.length / 8)
  bits = bits.padEnd(used * 8, '0')
  for (let i = 0; i < data.length; i++) {
    data[i] = i < used ? Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2) : (i - used) % 2 ? 0x11 : 0xec
  }
  return data
}

/** Cut into blocks, each with its checking bytes, and the blocks' bytes in turn. */
function interleaved(version: number, data: Uint8Array): number[] {
  const count = blockCounts[version - 1]!
  const short = Math.floor(data.length / count)
  const shorts = count - (data.length % count)
  const divisor = divisorOf(checkLengths[version - 1]!)
  const blocks = Array.from({ length: count }, (_, i) => {
    const from = i * short + Math.max(0, i - shorts)
    return data.subarray(from, from + short + (i >= shorts ? 1 : 0))
  })
  const checks = blocks.map((block) => remainder(block, divisor))
  const inTurn = (parts: ArrayLike<number>[], length: number) =>
    Array.from({ length }, (_, at) => parts.flatMap((part) => (at < part.length ? [part[at]!] : []))).flat()
  return [...inTurn(blocks, short + 1), ...inTurn(checks, divisor.length)]
}

/** In the field of 256 elements that Reed and Solomon's codes of QR live in. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

function divisorOf(degree: number): number[] {
  const divisor = [...Array<number>(degree - 1).fill(0), 1]
  let root = 1
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) divisor[j] = times(divisor[j]!, root) ^ (divisor[j + 1] ?? 0)
    root = times(root, 2)
  }
  return divisor
}

function remainder(data: ArrayLike<number>, divisor: number[]): number[] {
  const rest = Array<number>(divisor.length).fill(0)
  for (const byte of Array.from(data)) {
    const factor = byte ^ rest.shift()!
    rest.push(0)
    for (let i = 0; i < divisor.length; i++) rest[i]! ^= times(divisor[i]!, factor)
  }
  return rest
}

function drawPatterns(version: number, size: number, set: Set): void {
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  const rings = (x: number, y: number, reach: number, light: number[]) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++)
        set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))))
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    rings(x, y, 4, [2, 4])
  const marks = markPlaces(version, size)
  const corner = (i: number) => i === 0 || i === marks.length - 1
  marks.forEach((x, i) => {
    marks.forEach((y, j) => {
      const onFinder = corner(i) && corner(j) && !(i === marks.length - 1 && j === marks.length - 1)
      if (!onFinder) rings(x, y, 2, [1])
    })
  })
  drawFormat(size, set)
  if (version >= 7) drawVersion(version, size, set)
}

function markPlaces(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((size - 13) / (count * 2 - 2)) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - (count - 2 - i) * step)]
}

/** Which correction and which mask: the lowest and the first, with their own checking bits. */
const formatBits = 0b111011111000100

function drawFormat(size: number, set: Set): void {
  const bit = (i: number) => ((formatBits >>> i) & 1) === 1
  for (let i = 0; i <= 5; i++) set(8, i, bit(i))
  set(8, 7, bit(6))
  set(8, 8, bit(7))
  set(7, 8, bit(8))
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i))
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i))
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i))
  set(8, size - 8, true)
}

function drawVersion(version: number, size: number, set: Set): void {
  let rest = version
  for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25)
  const bits = (version << 12) | rest
  for (let i = 0; i < 18; i++) {
    const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)]
    set(a, b, ((bits >>> i) & 1) === 1)
    set(b, a, ((bits >>> i) & 1) === 1)
  }
}

/** Up and down in columns of two, from the right. Any mask can be read, so it is always the first. */
function fill(dark: boolean[][], taken: boolean[][], bytes: number[]): void {
  const size = dark.length
  let at = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - step : step
        if (taken[y]![x]) continue
        const bit = (((bytes[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1) === 1
        dark[y]![x] = bit !== ((x + y) % 2 === 0)
        at++
      }
    }
  }
}
