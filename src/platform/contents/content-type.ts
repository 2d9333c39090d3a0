import { type FileHandle, open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { ContentRefused } from '../outbound/refused.ts'
import { readCompoundNames } from './compound-file.ts'
import { markupRoot } from './markup-root.ts'
import {
  decodeStart,
  extensionOf,
  hasProgramName,
  looksRefusedEarly,
  programMessage,
} from './program-signs.ts'
import { readAt } from './read-at.ts'
import { createTextCheck, type TextEncodingName } from './text-encoding.ts'
import { readZipNames } from './zip-directory.ts'

/** `inline`: a browser may show it without running anything that is in it. */
export type ContentType = { type: string; extension: string; inline: boolean }

const headBytes = 64 * 1024
const chunkBytes = 256 * 1024

const unknownMessage = 'is of a kind that is not taken; give a document, picture, audio or video file'
const archiveMessage = 'is an archive; give the files in it one by one'

const inlineTypes = new Set(
  (
    'image/jpeg image/png image/apng image/gif image/webp image/avif image/bmp ' +
    'audio/mpeg audio/wav audio/ogg audio/mp4 audio/x-m4a audio/aac audio/flac audio/webm ' +
    'video/mp4 video/x-m4v video/webm video/ogg video/mpeg video/quicktime text/plain'
  ).split(' '),
)

/** Tells what a file on disk is from its contents alone; the name can only make it be refused. */
export async function sniffFile(path: string, { name }: { name: string }): Promise<ContentType> {
  if (hasProgramName(name)) throw new ContentRefused(programMessage)
  const file = await open(path)
  try {
    const { size } = await file.stat()
    if (size === 0) throw new ContentRefused('is an empty file')
    const head = await readAt(file, 0, Math.min(size, headBytes))
    const refusal = looksRefusedEarly(head)
    if (refusal) throw new ContentRefused(refusal)
    return (await sniffText(file, head, name)) ?? (await sniffBinary(path, file, size))
  } finally {
    await file.close()
  }
}

/** Formats that begin as text come before the library's two-letter signs, which a plain text may begin with. */
async function sniffText(file: FileHandle, head: Buffer, name: string): Promise<ContentType | null> {
  const start = decodeStart(head)
  if (/^[\s\0]{0,1000}%PDF-/.test(start)) return content('application/pdf', 'pdf')
  if (start.startsWith('{\\rtf')) return content('application/rtf', 'rtf')
  const check = createTextCheck()
  if (!check.push(head)) return null
  if (!/\S/.test(start)) throw new ContentRefused('is an empty file: it begins with nothing but blanks')
  const root = markupRoot(start)
  if (root === '') throw new ContentRefused(unknownMessage)
  const encoding = await followText(file, head.length, check)
  if (!encoding) return null
  if (root === 'svg') return content('image/svg+xml', 'svg')
  if (extensionOf(name) === 'csv') return content(`text/csv; charset=${encoding}`, 'csv')
  return content(`text/plain; charset=${encoding}`, 'txt')
}

async function followText(
  file: FileHandle,
  from: number,
  check: ReturnType<typeof createTextCheck>,
): Promise<TextEncodingName | null> {
  for (let at = from; ; at += chunkBytes) {
    const chunk = await readAt(file, at, chunkBytes)
    if (chunk.length && !check.push(chunk)) return null
    if (chunk.length < chunkBytes) return check.end()
  }
}

async function sniffBinary(path: string, file: FileHandle, size: number): Promise<ContentType> {
  if ((await readAt(file, Math.max(0, size - 512), 4)).toString('latin1') === 'koly') {
    throw new ContentRefused('is a disk image; give the files in it')
  }
  const found = await fileTypeFromFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall) throw error
    return undefined
  })
  if (!found) throw new ContentRefused(unknownMessage)
  const { mime, ext } = found
  if (ext === 'cfb') return sniffCompound(file, size)
  if ((await readAt(file, 0, 4)).toString('latin1') === 'PK\x03\x04') return sniffZip(file, size, found)
  if (/^(image|audio|video)\//.test(mime)) return content(mime, ext)
  const other = mediaByExtension[ext]
  if (other) return content(other, ext)
  if (programTypes.has(ext)) throw new ContentRefused(programMessage)
  throw new ContentRefused(archiveTypes.has(ext) ? archiveMessage : unknownMessage)
}

/** Moving pictures and sound that the library files under application/. */
const mediaByExtension: Record<string, string> = {
  ogx: 'application/ogg',
  asf: 'video/x-ms-asf',
  mxf: 'application/mxf',
  rm: 'application/vnd.rn-realmedia',
}
const programTypes = new Set('exe elf macho class wasm swf deb rpm dmg crx lnk chm jar apk xpi'.split(' '))
const archiveTypes = new Set(
  'zip rar 7z gz tar tar.gz bz2 xz Z lz lz4 zst lzh arj ace cab cpio ar iso asar'.split(' '),
)

/** The main part of an Office document, where the library was stopped by its limits or knows no name. */
const openXml = 'application/vnd.openxmlformats-officedocument'
const officeParts: [string, string, string][] = [
  ['word/document.xml', `${openXml}.wordprocessingml.document`, 'docx'],
  ['xl/workbook.xml', `${openXml}.spreadsheetml.sheet`, 'xlsx'],
  ['xl/workbook.bin', 'application/vnd.ms-excel.sheet.binary.macroenabled.12', 'xlsb'],
  ['ppt/presentation.xml', `${openXml}.presentationml.presentation`, 'pptx'],
  ['visio/document.xml', 'application/vnd.visio', 'vsdx'],
]

/**
 * The library reads a zip from the front, other programs from the directory at its end: the two must
 * agree, or a program could pass for a document.
 */
async function sniffZip(file: FileHandle, size: number, found: { mime: string; ext: string }) {
  const names = await readZipNames(file, size)
  if (names.some((name) => /^(AndroidManifest\.xml|META-INF\/MANIFEST\.MF|classes\d*\.dex)$/.test(name))) {
    throw new ContentRefused(programMessage)
  }
  if (names.includes('[Content_Types].xml')) {
    if (/officedocument|vnd\.ms-|vnd\.visio/.test(found.mime)) return content(found.mime, found.ext)
    const part = officeParts.find(([name]) => names.includes(name))
    if (part) return content(part[1], part[2])
  }
  if (names.includes('mimetype') && /opendocument|epub/.test(found.mime))
    return content(found.mime, found.ext)
  if (names.includes('Index/Document.iwa') && /vnd\.apple\./.test(found.mime)) {
    return content(found.mime, found.ext)
  }
  throw new ContentRefused(programTypes.has(found.ext) ? programMessage : archiveMessage)
}

const compoundStreams: [string, string, string][] = [
  ['WordDocument', 'application/msword', 'doc'],
  ['Workbook', 'application/vnd.ms-excel', 'xls'],
  ['Book', 'application/vnd.ms-excel', 'xls'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint', 'ppt'],
  ['VisioDocument', 'application/vnd.visio', 'vsd'],
]

async function sniffCompound(file: FileHandle, size: number): Promise<ContentType> {
  const names = (await readCompoundNames(file, size)) ?? []
  // An installer packs the names of its tables into these otherwise unused characters.
  if (names.some((name) => /[\u3800-\u4840]/.test(name))) throw new ContentRefused(programMessage)
  const kind = compoundStreams.find(([stream]) => names.includes(stream))
  if (kind) return content(kind[1], kind[2])
  if (names.includes('EncryptedPackage')) {
    throw new ContentRefused('is locked with a password; save it without one')
  }
  throw new ContentRefused(unknownMessage)
}

function content(mime: string, extension: string): ContentType {
  const type = /^video\/MP[12][PS]$/.test(mime) ? 'video/mpeg' : mime
  return { type, extension, inline: inlineTypes.has(type.split(';')[0]!) }
}
