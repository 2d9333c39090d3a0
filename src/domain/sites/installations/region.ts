import type { Address } from '../../kernel/contact.ts'

/** Where most people of a state or province live by one clock; of countries, those that have one. */
const zones: Record<string, string> = {
  ...regions('America/New_York', 'US', 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV'),
  ...regions('America/Chicago', 'US', 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI'),
  ...regions('America/Denver', 'US', 'CO ID MT NM UT WY'),
  ...regions('America/Los_Angeles', 'US', 'CA NV OR WA'),
  'US-AZ': 'America/Phoenix',
  'US-AK': 'America/Anchorage',
  'US-HI': 'Pacific/Honolulu',
  'US-PR': 'America/Puerto_Rico',
  'US-VI': 'America/St_Thomas',
  'US-GU': 'Pacific/Guam',
  'US-AS': 'Pacific/Pago_Pago',
  'US-MP': 'Pacific/Saipan',
  ...regions('America/Toronto', 'CA', 'ON QC'),
  ...regions('America/Halifax', 'CA', 'NS NB PE'),
  ...regions('America/Edmonton', 'CA', 'AB NT'),
  'CA-NL': 'America/St_Johns',
  'CA-MB': 'America/Winnipeg',
  'CA-SK': 'America/Regina',
  'CA-BC': 'America/Vancouver',
  'CA-YT': 'America/Whitehorse',
  ...regions('Australia/Sydney', 'AU', 'NSW ACT'),
  'AU-VIC': 'Australia/Melbourne',
  'AU-QLD': 'Australia/Brisbane',
  'AU-SA': 'Australia/Adelaide',
  'AU-WA': 'Australia/Perth',
  'AU-TAS': 'Australia/Hobart',
  'AU-NT': 'Australia/Darwin',
  DE: 'Europe/Berlin',
  GB: 'Europe/London',
  IE: 'Europe/Dublin',
  FR: 'Europe/Paris',
  IT: 'Europe/Rome',
  NL: 'Europe/Amsterdam',
  BE: 'Europe/Brussels',
  AT: 'Europe/Vienna',
  CH: 'Europe/Zurich',
  PL: 'Europe/Warsaw',
  IN: 'Asia/Kolkata',
  JP: 'Asia/Tokyo',
  NZ: 'Pacific/Auckland',
}

function regions(zone: string, country: string, codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [`${country}-${code}`, zone]))
}

/** The time zone of a region code (ISO 3166-2, such as US-CA, or a country's); null where it is not known. */
export function timezoneOf(region: string): string | null {
  const code = region.toUpperCase()
  return zones[code] ?? zones[code.split('-')[0]!] ?? null
}

/** The region code of a house, as far as its address says it. */
export function regionOf({ state, country }: Address): string {
  const land = (country ?? '').toUpperCase()
  return [land, (state ?? '').toUpperCase()].filter(Boolean).join('-').slice(0, 16)
}

const zoneForm = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/

/** An IANA time zone as it is properly written; null where there is none of this name. An offset is no name. */
export function timezoneNamed(name: string): string | null {
  if (!zoneForm.test(name)) return null
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return null
  }
}
