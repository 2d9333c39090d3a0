import type { Claim, LeasedMail } from '../domain/delivery/mails/queries.ts'
import { asciiLower } from '../domain/kernel/email.ts'

export interface MailSlots {
  room(): number
  /** Which mails to take next: of whom enough is under way already, and whose turn it is. */
  fullness(): Pick<Claim, 'urgent' | 'fullInstallers' | 'fullDomains' | 'after'>
  begin(mail: LeasedMail): void
  end(mail: LeasedMail): void
  underWay(): LeasedMail[]
}

/** How many mails are sent at once, shared between tenants and receiving domains. */
export function createMailSlots(limits: {
  urgent: boolean
  slots: number
  perInstaller: number
  perDomain: number
}): MailSlots {
  const mails = new Set<LeasedMail>()
  let after = ''

  const atLimit = (limit: number, of: (mail: LeasedMail) => string) => {
    const counts = new Map<string, number>()
    for (const mail of mails) counts.set(of(mail), (counts.get(of(mail)) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= limit).map(([name]) => name)
  }

  return {
    room: () => limits.slots - mails.size,
    fullness: () => ({
      urgent: limits.urgent,
      fullInstallers: atLimit(limits.perInstaller, ({ installerId }) => installerId),
      fullDomains: atLimit(limits.perDomain, ({ to }) => asciiLower(to.slice(to.lastIndexOf('@') + 1))),
      after,
    }),
    begin(mail) {
      mails.add(mail)
      after = mail.installerId
    },
    end: (mail) => void mails.delete(mail),
    underWay: () => [...mails],
  }
}
