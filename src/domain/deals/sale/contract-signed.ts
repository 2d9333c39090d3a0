import { dayIn } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import type { Sale } from './begin-project.ts'

const firstDay = '2000-01-01'

/** What the day of the signature says about a sale; `field` is how the caller names it. */
export function contractSigned(
  { timezone }: Company,
  signedOn: string,
  now: Date,
  field: string,
): Pick<Sale, 'contractSignedAt' | 'milestones'> {
  if (signedOn > dayIn(timezone, now) || signedOn < firstDay)
    throw new DomainError('invalid', `${field} must be a day that has come, from the year 2000 on.`)
  // The middle of the day: it is the same day wherever it is read.
  const noon = Temporal.PlainDate.from(signedOn).toZonedDateTime({ timeZone: timezone, plainTime: '12:00' })
  return { contractSignedAt: new Date(noon.epochMilliseconds), milestones: { contractSigned: signedOn } }
}
