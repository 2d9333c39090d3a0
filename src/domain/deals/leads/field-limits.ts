/** How many characters a lead's texts may have, whichever way they come in. */
export const leadLimits = { name: 200, email: 320, phone: 40, notes: 20_000, externalId: 128 } as const

/** A country is its two letters. */
export const countryPattern = '^[A-Za-z]{2}$'
