import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** The number in E.164 for matching, or null where it cannot be read as one. */
export function normalisePhone(phone: string | null, country: string | null): string | null {
  if (!phone) return null
  const parsed = parsePhoneNumberFromString(phone, (country ?? 'US') as CountryCode)
  return parsed?.isPossible() ? parsed.number : null
}

/** The number as the legacy API has it: its digits as they stand, without an extension; null where there are none. */
export function phoneDigits(phone: string | null): number | null {
  const digits =
    phone
      ?.replace(/\b(x|ext|extension)\b.*$/i, '')
      .replace(/(?<=\d)x.*$/i, '')
      .replace(/\D/g, '') ?? ''
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null
}
