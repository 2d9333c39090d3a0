import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The number in E.164 for matching, or null where it cannot be read as one. */
export function normalisePhone(phone: string | null, country: string | null): string | null {
  if (!phone) return null
  const parsed = parsePhoneNumberFromString(phone, (country ?? 'US') as CountryCode)
  return parsed?.isPossible() ? parsed.number : null
}
