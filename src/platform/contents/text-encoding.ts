export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const controlCharacter = /[\x00-\x08\x0b\x0e-\x1f\x7f]/
/** Bytes to which windows-1252 gives no character. */
const unassigned = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
const maxHighShare = 0.3

/**
 * Follows a file chunk by chunk and tells in which encoding all that was seen is plain text, or null.
 * `end` closes the last character, so that a file cut inside one is not text in that encoding.
 */
export function createTextCheck() {
  let decoder: TextDecoder | null = null
  let unicode: TextEncodingName | null = 'utf-8'
  let western = true
  let bytes = 0
  let highBytes = 0

  function begin(chunk: Uint8Array): TextDecoder {
    if (chunk[0] === 0xff && chunk[1] === 0xfe) unicode = 'utf-16le'
    if (chunk[0] === 0xfe && chunk[1] === 0xff) unicode = 'utf-16be'
    western = unicode === 'utf-8'
    return new TextDecoder(unicode!, { fatal: true })
  }

  function followUnicode(chunk: Uint8Array, stream: boolean): void {
    if (!unicode || !decoder) return
    try {
      if (controlCharacter.test(decoder.decode(chunk, { stream }))) unicode = null
    } catch {
      unicode = null
    }
  }

  function followWestern(chunk: Uint8Array): void {
    if (!western) return
    bytes += chunk.length
    for (const byte of chunk) {
      if (byte < 0x80) {
        if ((byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) || byte === 0x7f) {
          western = false
          return
        }
        continue
      }
      highBytes++
      if (unassigned.has(byte)) {
        western = false
        return
      }
    }
  }

  function encoding(): TextEncodingName | null {
    if (unicode) return unicode
    return western && highBytes <= 2 + bytes * maxHighShare ? 'windows-1252' : null
  }

  return {
    push(chunk: Uint8Array): TextEncodingName | null {
      decoder ??= begin(chunk)
      followUnicode(chunk, true)
      followWestern(chunk)
      return encoding()
    },
    end(): TextEncodingName | null {
      followUnicode(new Uint8Array(), false)
      return encoding()
    },
  }
}
