import { isTimezone } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { checkName } from '../../kernel/name.ts'
import { type Company, isCountry } from '../../kernel/tenant/company.ts'

/** Refuses what no company can be called, and time zones and countries that there are not. */
export function checkCompany({
  name,
  timezone,
  country,
}: {
  [K in keyof Pick<Company, 'name' | 'timezone' | 'country'>]?: string | undefined
}): void {
  if (name !== undefined && (!name.trim() || name.trim().length > 200))
    throw new DomainError('invalid', 'A company needs a name of 1 to 200 characters.')
  if (name !== undefined) checkName(name.trim())
  if (timezone !== undefined && !isTimezone(timezone)) {
    throw new DomainError(
      'invalid',
      `There is no time zone ${timezone}. Use an IANA name such as America/Denver.`,
    )
  }
  if (country !== undefined && !isCountry(country))
    throw new DomainError(
      'invalid',
      `There is no country ${country}. Use its two capital letters, such as US.`,
    )
}
