import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = { name: string; data?: string | Buffer; declaredSize?: number }

/** A zip with its directory; `declaredSize` lets an entry claim to unpack to more than it does. */
export function zip(entries: ZipEntry[], { zip64 = false } = {}): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, data = '', declaredSize } of entries) {
    const plain = Buffer.from(data)
    const packed = name === 'mimetype' ? plain : deflateRawSync(plain)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(name === 'mimetype' ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(plain), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(plain.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const size = declaredSize ?? plain.length
    const extra = Buffer.alloc(zip64 ? 12 : 0)
    if (zip64) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(8, 2)
      extra.writeBigUInt64LE(BigInt(size), 4)
    }
    const head = Buffer.alloc(16)
    head.writeUInt32LE(offset, 12)
    fields.writeUInt32LE(zip64 ? 0xffffffff : size, 18)
    fields.writeUInt16LE(extra.length, 24)
    directory.push(
      Buffer.from('PK\x01\x02\x14\0', 'latin1'),
      fields,
      head.subarray(2),
      Buffer.from(name),
      extra,
    )
    locals.push(local)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  const parts = [...locals, listing]
  if (zip64) parts.push(end64(entries.length, listing.length, offset))
  const end = Buffer.alloc(18)
  end.writeUInt16LE(zip64 ? 0xffff : entries.length, 4)
  end.writeUInt16LE(zip64 ? 0xffff : entries.length, 6)
  end.writeUInt32LE(zip64 ? 0xffffffff : listing.length, 8)
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 12)
  return Buffer.concat([...parts, Buffer.from('PK\x05\x06'), end])
}

function end64(count: number, bytes: number, offset: number): Buffer {
  const record = Buffer.alloc(56)
  record.write('PK\x06\x06', 0, 'latin1')
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(bytes), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 0, 'latin1')
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

/** `kind` as in the package's content types: `wordprocessingml.document`, `spreadsheetml.sheet`. */
export function openXml(part: string, kind: string, more: ZipEntry[] = []): Buffer {
  const type = kind.includes('/') ? kind : `application/vnd.openxmlformats-officedocument.${kind}.main+xml`
  return zip([
    {
      name: '[Content_Types].xml',
      data: `<?xml version="1.0"?><Types><Override PartName="/${part}" ContentType="${type}"/></Types>`,
    },
    { name: part, data: '<?xml version="1.0"?><document/>' },
    ...more,
  ])
}

export function openDocument(kind: string): Buffer {
  return zip([
    { name: 'mimetype', data: `application/vnd.oasis.opendocument.${kind}` },
    { name: 'content.xml', data: '<office:document-content/>' },
    { name: 'META-INF/manifest.xml', data: '<manifest:manifest/>' },
  ])
}

/** A compound file (OLE) of one directory sector whose root holds these streams. */
export function compoundFile(streams: string[]): Buffer {
  const header = Buffer.alloc(512)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(1, 48)
  header.writeUInt32LE(0xfffffffe, 60)
  header.writeUInt32LE(0xfffffffe, 68)
  header.fill(0xff, 76)
  header.writeUInt32LE(0, 76)
  const table = Buffer.alloc(512, 0xff)
  table.writeUInt32LE(0xfffffffd, 0)
  table.writeUInt32LE(0xfffffffe, 4)
  const directory = Buffer.alloc(512)
  for (const [index, name] of ['Root Entry', ...streams].entries()) {
    const entry = directory.subarray(index * 128, index * 128 + 128)
    entry.write(name, 'utf16le')
    entry.writeUInt16LE(name.length * 2 + 2, 64)
    entry.writeUInt8(index === 0 ? 5 : 2, 66)
    entry.writeUInt32LE(0xffffffff, 68)
    entry.writeUInt32LE(index > 0 && index < streams.length ? index + 1 : 0xffffffff, 72)
    entry.writeUInt32LE(index === 0 && streams.length ? 1 : 0xffffffff, 76)
  }
  return Buffer.concat([header, table, directory])
}

export const pdf = Buffer.from(
  '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n',
  'latin1',
)

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

export const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.alloc(64),
  Buffer.from('ffd9', 'hex'),
])

export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The opening box of an ISO media file: `heic`, `avif`, `isom` … */
export function isoMedia(brand: string): Buffer {
  const box = Buffer.alloc(24)
  box.writeUInt32BE(24, 0)
  box.write(`ftyp${brand}`, 4, 'latin1')
  box.write(`mif1${brand}`, 16, 'latin1')
  return Buffer.concat([box, Buffer.from([0, 0, 0, 8]), Buffer.from('mdat'), Buffer.alloc(64)])
}

export const mp3 = Buffer.concat([
  Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'),
  Buffer.from('fffb9064', 'hex'),
  Buffer.alloc(413),
])

export function riff(kind: string): Buffer {
  const body = Buffer.concat([
    Buffer.from(kind),
    Buffer.from('fmt \x10\0\0\0\x01\0\x01\0', 'latin1'),
    Buffer.alloc(80),
  ])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from('RIFF'), length, body])
}

export const elf = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(120, 1)])

export const windowsProgram = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(120)])
