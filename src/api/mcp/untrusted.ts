import { type Members, taken } from '../../domain/deals/projects/rendered-members.ts'

type Fields = Record<string, unknown>

const always = ['customer', 'address']
const whereGiven = ['coBorrower', 'notes', 'source', 'utility', 'externalId']

/**
 * Sets the text of customers, or of whoever entered it for them, apart in a record of the company-key API, under `untrusted`: whoever
 * reads it for a model can tell what is said to it from what is only shown. In the record itself, which was just parsed: copies
 * would take as long as that. What has moved is undefined in its former place, which no JSON shows.
 */
export function apart(record: object): Fields & { untrusted: Fields } {
  const fields = record as Fields
  const untrusted: Fields = {}
  for (const name of always) untrusted[name] = moved(fields, name)
  for (const name of whereGiven) {
    if (fields[name] == null) moved(fields, name)
    else untrusted[name] = moved(fields, name)
  }
  fields['untrusted'] = untrusted
  return fields as Fields & { untrusted: Fields }
}

/** What a field holds, which is then empty. */
function moved(fields: Fields, name: string): unknown {
  const value = fields[name]
  if (value !== undefined) fields[name] = undefined
  return value
}

/** The same of a record that is not read: what is taken out of its members. */
export function takeApart(members: Members): Members {
  const untrusted: Members = new Map()
  for (const name of [...always, ...whereGiven]) {
    const value = taken(members, name)
    if (value !== undefined) untrusted.set(name, value)
  }
  return untrusted
}

const maxCharacters = 2_000

/** A long text, cut: an answer stays small. */
export function cut(text: string, max = maxCharacters): string {
  return text.length > max ? `${text.slice(0, max)}… (cut: ${text.length} characters in all)` : text
}
