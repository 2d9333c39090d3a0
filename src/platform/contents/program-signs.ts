import { isWebPage } from './markup-root.ts'

const programExtensions = new Set(
  (
    'exe com bat cmd msi msp mst msix msixbundle appx appxbundle appinstaller scr pif cpl dll sys drv ocx xll ' +
    'ps1 psm1 psd1 ps1xml vbs vbe js jse mjs cjs ws wsf wsh wsc sct hta reg lnk url website scf inf msc ' +
    'gadget settingcontent-ms chm jar jnlp class war ear apk aab ipa app pkg mpkg dmg command workflow ' +
    'terminal sh bash zsh ksh csh fish appimage deb rpm snap flatpak desktop so dylib wasm ' +
    'xlam ppam wll crx xpi swf'
  ).split(' '),
)

/**
 * The last extension of a name, in lower case. Systems drop what trails it (dots, spaces), so we do too.
 * Extensions of server scripts (php, aspx, cgi) are no sign: documents are often served by one.
 */
export function extensionOf(name: string): string {
  return /\.([a-z0-9-]+)[^a-z0-9]*$/i.exec(name)?.[1]?.toLowerCase() ?? ''
}

export function hasProgramName(name: string): boolean {
  return programExtensions.has(extensionOf(name))
}

const signatures = [
  [0x7f, 0x45, 0x4c, 0x46], // ELF
  [0xfe, 0xed, 0xfa, 0xce], // Mach-O, four orders and widths
  [0xfe, 0xed, 0xfa, 0xcf],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0xca, 0xfe, 0xba, 0xbe], // fat Mach-O, Java class
  [0xca, 0xfe, 0xba, 0xbf],
  [0xbe, 0xba, 0xfe, 0xca],
  [0xca, 0xfe, 0xd0, 0x0d], // packed Java classes
  [0x00, 0x61, 0x73, 0x6d], // WebAssembly
  [0x64, 0x65, 0x78, 0x0a], // Android dex
  [0x42, 0x43, 0xc0, 0xde], // LLVM bitcode
  [0xed, 0xab, 0xee, 0xdb], // rpm
  [0x21, 0x3c, 0x61, 0x72, 0x63, 0x68, 0x3e], // ar: deb, static libraries
  [0x4c, 0x00, 0x00, 0x00, 0x01, 0x14, 0x02, 0x00], // Windows shortcut
  [0x49, 0x54, 0x53, 0x46], // compiled HTML help
  [0x43, 0x72, 0x32, 0x34], // browser extension
]

const scriptStart =
  /^[\ufeff\s]*(?:#!\s*\/|<\?php|<\?=|<%|@echo\s+off|Windows Registry Editor|REGEDIT4|\[InternetShortcut\]|\[Desktop Entry\])/i

export const programMessage = 'is a program; only documents, pictures, audio and video are taken'
export const webPageMessage =
  'is a web page, perhaps a sign-in page; give the address of the file itself, which must open without signing in'

/** A look at the first bytes (about 4 KB), so that a copy of what is certain to be refused ends early. */
export function looksRefusedEarly(firstBytes: Uint8Array): string | null {
  if (signatures.some((signature) => signature.every((byte, index) => firstBytes[index] === byte))) {
    return programMessage
  }
  const start = decodeStart(firstBytes)
  // Two and three letters are also how a text may begin, but a text holds no NUL byte.
  if (/^(MZ|ZM|FWS|CWS|ZWS)/.test(start) && firstBytes.subarray(0, 64).some((byte) => byte < 9)) {
    return programMessage
  }
  if (scriptStart.test(start)) return programMessage
  return isWebPage(start) ? webPageMessage : null
}

/** The first bytes as text for pattern matching: by byte order mark, else one character per byte. */
export function decodeStart(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const body = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
}
