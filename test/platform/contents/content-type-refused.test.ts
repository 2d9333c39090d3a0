import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sniffFile } from '../../../src/platform/contents/content-type.ts'
import { looksRefusedEarly } from '../../../src/platform/contents/program-signs.ts'
import { ContentRefused } from '../../../src/platform/outbound/refused.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import * as sample from '../../support/sample-files.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-type-'))
})
after(() => rm(folder, { recursive: true }))

async function sniff(data: string | Buffer, name = 'file') {
  const path = join(folder, randomBytes(8).toString('hex'))
  await writeFile(path, data)
  return sniffFile(path, { name })
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

const page = /web page/
const program = /program/
const archive = /archive/
const unknown = /not taken/
const bomb = /unpack to far too much/
const damaged = /cannot be read/
const gib = 1024 ** 3
const word = (more: sample.ZipEntry[]) =>
  sample.openXml('word/document.xml', 'wordprocessingml.document', more)
const docx = word([])

/** A zip whose end says that it has so many parts. */
function counting(zip: Buffer, parts: number): Buffer {
  const copy = Buffer.from(zip)
  copy.writeUInt16LE(parts, zip.length - 14)
  copy.writeUInt16LE(parts, zip.length - 12)
  return copy
}

const refused: [label: string, data: string | Buffer, message: RegExp, name?: string][] = [
  ['an empty file', '', /empty/],
  ['nothing but blanks', ' \n'.repeat(40_000), /empty/],
  ['HTML', '<!DOCTYPE html><title>Sign in</title>', page],
  ['HTML named as a PDF', '<html><body>Log in</body></html>', page, 'plan.pdf'],
  ['HTML after blanks', `${' \n\t'.repeat(2_000)}<HTML>`, page],
  ['HTML after a mark', '\ufeff<html>', page],
  ['HTML after comments', '<!-- > --><!-- b -->\n<!doctype HTML>', page],
  ['HTML after an odd comment', '<!--><script>alert(1)</script>', page],
  ['HTML of UTF-16', utf16('<html><body>'), page],
  ['a bare fragment of HTML', '<div class="login">Sign in</div>', page],
  ['XHTML', '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "x"><html/>', page],
  ['XHTML with a prefix', '<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"/>', page],
  ['markup whose root never comes', `<!--${'x'.repeat(70_000)}--><html>`, unknown],
  ['ELF', sample.elf, program],
  ['a Windows program', sample.windowsProgram, program],
  ['a Windows program named as a picture', sample.windowsProgram, program, 'roof.jpg'],
  ['Mach-O', Buffer.concat([Buffer.from('cffaedfe', 'hex'), Buffer.alloc(60)]), program],
  ['fat Mach-O', Buffer.concat([Buffer.from('cafebabe00000002', 'hex'), Buffer.alloc(60)]), program],
  ['a Java class', Buffer.concat([Buffer.from('cafebabe00000034', 'hex'), Buffer.alloc(60)]), program],
  ['WebAssembly', Buffer.from('0061736d01000000', 'hex'), program],
  ['a shell script', '#!/bin/sh\nrm -rf /\n', program],
  ['a PHP script', '<?php system($_GET["c"]); ?>', program],
  ['a batch file', '@echo off\r\ndel *.*\r\n', program],
  ['an installer', sample.compoundFile(['\u4840\u3f3f\u4577', 'SummaryInfo']), program],
  [
    'a jar',
    sample.zip([
      { name: 'META-INF/MANIFEST.MF', data: 'x' },
      { name: 'A.class', data: 'x' },
    ]),
    program,
  ],
  [
    'an Android package',
    sample.zip([{ name: 'AndroidManifest.xml', data: 'x' }, { name: 'classes.dex' }]),
    program,
  ],
  ['a jar that begins as a document', word([{ name: 'META-INF/MANIFEST.MF' }]), program],
  [
    'a jar that counts fewer parts than it has',
    counting(word([{ name: 'META-INF/MANIFEST.MF' }]), 2),
    damaged,
  ],
  ['a Debian package', '!<arch>\ndebian-binary   ', program],
  ['an rpm', Buffer.concat([Buffer.from('edabeedb', 'hex'), Buffer.alloc(60)]), program],
  [
    'a disk image',
    Buffer.concat([Buffer.alloc(600, 7), Buffer.from('koly'), Buffer.alloc(508)]),
    /disk image/,
  ],
  ...'exe bat cmd com ps1 sh js mjs vbs msi jar apk app scr lnk hta EXE'
    .split(' ')
    .map((extension): (typeof refused)[number] => [
      `.${extension}`,
      'text',
      program,
      `plan.pdf.${extension}`,
    ]),
  ['a program name with a trailing dot', 'text', program, 'plan.exe. '],
  ['a zip', sample.zip([{ name: 'a.txt', data: 'x' }]), archive],
  ['gzip', gzipSync('x'), archive],
  ['7z', Buffer.concat([Buffer.from('377abcaf271c', 'hex'), Buffer.alloc(60)]), archive],
  ['rar', Buffer.from('Rar!\x1a\x07\x01\0\0\0', 'latin1'), archive],
  ['a locked document', sample.compoundFile(['EncryptionInfo', 'EncryptedPackage']), /password/],
  ['a compound file of another kind', sample.compoundFile(['__properties_version1.0']), unknown],
  ['a compound file without directory', sample.compoundFile(['WordDocument']).subarray(0, 512), unknown],
  ['a bomb by its size', word([{ name: 'a', declaredSize: gib }]), bomb],
  [
    'a bomb by the sum of its sizes',
    word([...'abcd'].map((name) => ({ name, declaredSize: gib / 4 }))),
    bomb,
  ],
  ['a bomb by its density', word([{ name: 'a', declaredSize: 60 * 1024 ** 2 }]), bomb],
  ['a bomb by its entries', word(Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}` }))), bomb],
  [
    'a bomb of zip64',
    sample.zip([{ name: '[Content_Types].xml', declaredSize: 5 * gib }], { zip64: true }),
    bomb,
  ],
  ['a document cut short', docx.subarray(0, docx.length - 30), damaged],
  ['random bytes', Buffer.concat([Buffer.from([3, 1, 0]), randomBytes(400)]), unknown],
  ['text with NUL', 'a\0b', unknown],
  ['text that turns binary later', `${'text\n'.repeat(60_000)}\0`, unknown],
  ['a font', Buffer.concat([Buffer.from('0001000000', 'hex'), Buffer.alloc(40)]), unknown],
]

for (const [label, data, message, name] of refused) {
  test(`refuses ${label}`, async () => {
    await assert.rejects(sniff(data, name), (error) => {
      assert(error instanceof ContentRefused, String(error))
      assert.match(error.message, message)
      return true
    })
  })
}

test('the early look stops pages and programs and lets the rest through', () => {
  assert.match(looksRefusedEarly(Buffer.from('  <!doctype html>')) ?? '', page)
  assert.match(looksRefusedEarly(sample.elf) ?? '', program)
  for (const data of [sample.pdf, sample.png, docx, Buffer.from('plain'), new Uint8Array()]) {
    assert.equal(looksRefusedEarly(data), null)
  }
})

test('does not backtrack for long over markup made to be slow', async () => {
  const started = cpuMs()
  for (const part of ['<!a ', '<!a "', "<![<!'", '<!---->', '<?xml ?>', '<!DOCTYPE svg [']) {
    await sniff(part.repeat(Math.floor(65_000 / part.length))).catch(() => {})
  }
  assert(cpuMs() - started < 2_000)
})
