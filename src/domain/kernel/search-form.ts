const left = /[\u0300-\u036f'`´ʹʻʼʽˈ‘’‛′＇]/g
// biome-ignore format: one line reads better
const alone: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŋ: 'n', ŧ: 't', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' }

/**
 * A text in small letters, each by itself, as the database's `lower` makes them: by its neighbours, a capital sigma at the end of a word
 * would become another one.
 */
export const lowered = (text: string): string =>
  /^[\0-\x7f]*$/.test(text)
    ? text.toLowerCase()
    : Array.from(text, (letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0)!)).join('')

/**
 * A text as it is looked for: small letters, without accents and apostrophes. The same as the database's `search_form`,
 * which makes the texts that are looked through.
 */
export function searchForm(text: string): string {
  return lowered(text.normalize('NFD').replace(left, '')).replace(
    /[øłđðħŋŧıßæœþ]/g,
    (letter) => alone[letter]!,
  )
}

/** Where the text is in any place, for a `like` on such a form. */
export const anywhere = (text: string) => `%${literal(text)}%`

/** Where the longest word of the text is, as an index of groups of three letters finds it; undefined where it is too short. */
export function anywhereLongest(text: string): string | undefined {
  const longest = text.split(/\s+/).reduce((a, b) => (b.length > a.length ? b : a))
  return longest.length < 3 ? undefined : anywhere(longest)
}

/** As itself in a pattern; of a sigma, either form. */
export const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&').replace(/[σς]/g, '_')
