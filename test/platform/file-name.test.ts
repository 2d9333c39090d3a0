import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanFileName, diskFileName } from '../../src/platform/file-name.ts'

const cases: [given: string, cleaned: string, onDisk?: string][] = [
  ['Plan set.pdf', 'Plan set.pdf'],
  ['Überblick – Süd (2).pdf', 'Überblick – Süd (2).pdf', 'Überblick _ Süd (2).pdf'],
  ['屋根.png', '屋根.png'],
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\system32\\drivers.txt', 'drivers.txt'],
  ['/absolute/roof.png', 'roof.png'],
  ['C:\\Users\\Ada\\roof.png', 'roof.png'],
  ['folder/', 'folder'],
  ['..', 'file'],
  ['/', 'file'],
  ['', 'file'],
  ['   ', 'file'],
  ['.htaccess', 'htaccess'],
  ['roof.png. . ', 'roof.png'],
  ['  a \t b\u00a0.pdf', 'a b .pdf'],
  ['a\r\nSet-Cookie: b.pdf', 'a Set-Cookie: b.pdf', 'a Set-Cookie_ b.pdf'],
  ['a\u2028b\u2029c.pdf', 'a b c.pdf'],
  ['nul\u0000l\u0007.pdf', 'null.pdf'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['\u2066a\u2069\u200f\u061cb.pdf', 'ab.pdf'],
  ['zero\u200bwidth\ufeff\u00ad.pdf', 'zerowidth.pdf'],
  ['tag\u{e0041}\u{e0042}.pdf', 'tag.pdf'],
  ['e\u0301t\u00e9.pdf', 'été.pdf'],
  ['\ud800lone.pdf', '\ufffdlone.pdf', '_lone.pdf'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(196)}.pdf`, `${'x'.repeat(96)}.pdf`],
  ['CON', 'CON', '_CON'],
  ['nul.txt', 'nul.txt', '_nul.txt'],
  ['LPT1 .pdf', 'LPT1 .pdf', '_LPT1 .pdf'],
  ['a<b>:"|?*.pdf', 'a<b>:"|?*.pdf', 'a_b_.pdf'],
]

for (const [given, cleaned, onDisk = cleaned] of cases)
  test(`${JSON.stringify(given).slice(0, 50)} is ${cleaned.slice(0, 30)}`, () => {
    assert.equal(cleanFileName(given), cleaned)
    assert.equal(diskFileName(given), onDisk)
  })

test('whatever it is, it is a name on one line, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = cleanFileName(given)
      assert.match(name, /^[^\p{Cc}\p{Bidi_Control}/\\]{1,200}$/u)
      assert.doesNotMatch(name, /^[. ]|[. ]$/)
      assert.equal(cleanFileName(name), name)
      const disk = diskFileName(given)
      assert.ok(Buffer.byteLength(disk) <= 200 && disk !== '')
      assert.doesNotMatch(disk, /[<>:"/\\|?*]|^[. ]|[. ]$/)
    }),
  )
})
