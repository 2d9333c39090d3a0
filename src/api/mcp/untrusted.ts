type Fields = Record<string, unknown>

/**
 * A record of the company-key API with the text of customers, or of whoever entered it for them, apart, under `untrusted`: whoever
 * reads it for a model can tell what is said to it from what is only shown.
 */
export function apart(record: object): Fields & { untrusted: Fields } {
  const { customer, coBorrower, address, notes, source, utility, externalId, ...trusted } = record as Fields
  const untrusted: Fields = { customer, address }
  if (coBorrower != null) untrusted['coBorrower'] = coBorrower
  if (notes != null) untrusted['notes'] = notes
  if (source != null) untrusted['source'] = source
  if (utility != null) untrusted['utility'] = utility
  if (externalId != null) untrusted['externalId'] = externalId
  return { ...trusted, untrusted }
}

const maxCharacters = 2_000

/** A long text, cut: an answer stays small. */
export function cut(text: string, max = maxCharacters): string {
  return text.length > max ? `${text.slice(0, max)}… (cut: ${text.length} characters in all)` : text
}
