const maxNameChars = 200

/**
 * The name of a file as it is kept and shown, wherever it comes from: its last part alone, on one line, without what
 * is not seen or turns the direction of reading (`gpj.exe` must not read as `exe.jpg`), no longer than a name is, its
 * ending kept. Cleaning what is clean changes nothing.
 */
export function cleanFileName(given: string): string {
  // Most are: every rendering of a project cleans the names of its files.
  if (given.length <= maxNameChars && /^\w+(?:[ .-]\w+)*$/.test(given)) return given
  const last = given
    .toWellFormed()
    .replace(/(?!\ufeff)\s/g, ' ')
    .replace(unseen, '')
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .split(/[/\\]/)
    .map(trimmed)
    .findLast((part) => part !== '')
  return last === undefined ? 'file' : shortened(last, maxNameChars)
}

/**
 * A name for a file on anybody's disk: also without the characters that one of the systems refuses, not one of the
 * names that Windows keeps for devices, and short in bytes as well.
 */
export function diskFileName(given: string): string {
  const name = cleanFileName(given).replace(/[^\p{L}\p{M}\p{N}. _()+,@-]+/gu, '_')
  const safe = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$|clock\$)\s*(\.|$)/i.test(name)
    ? `_${name}`
    : name
  let short = shortened(safe, 100)
  for (let chars = 100; Buffer.byteLength(short) > 160; chars -= 10) short = shortened(safe, chars)
  return trimmed(short) || 'file'
}

/**
 * Control characters, marks of direction, invisible fillers, tags and the byte order mark. Joiners that letters and
 * pictures are made of stay.
 */
const unseen =
  /[\p{Cc}\p{Co}\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufff9-\ufffb]|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu

function trimmed(text: string): string {
  return text.replace(/^[. ]+|[. ]+$/g, '')
}

/** Letters are counted as texts are, and never parted. */
function shortened(name: string, chars: number): string {
  if (name.length <= chars) return name
  const ending = /\.[^. ]{1,12}$/.exec(name)?.[0] ?? ''
  const stem = name.slice(0, chars - ending.length)
  // Half of a pair that was cut through.
  return trimmed(stem.replace(/[\ud800-\udbff]$/, '')) + ending
}
