import { type Directory, memberByEmail } from '../../kernel/tenant/directory.ts'
import type { Member } from '../../kernel/tenant/member.ts'
import { plainWords } from './field-labels.ts'

/**
 * Somebody who works for the company, as a file names them: by email, or by a name that no other has, without case and
 * accents, also with the last name first. Says why there is none.
 */
export function findRep(
  directory: Directory,
  companyId: string,
  text: string,
): { member: Member } | { reason: string } {
  const byEmail = memberByEmail(directory, companyId, text)
  if (byEmail) return { member: byEmail }
  if (text.includes('@')) return { reason: `nobody who works for your company has the email ${text}` }
  const comma = text.indexOf(',')
  const turned = comma > 0 ? `${text.slice(comma + 1)} ${text.slice(0, comma)}` : text
  const wanted = plainWords(turned)
  const named = [...directory.members.values()].filter(
    (member) => member.companyId === companyId && member.active && plainWords(member.name) === wanted,
  )
  const [member] = named
  if (member && named.length === 1) return { member }
  return {
    reason: member
      ? `several people of your company are called ${text}, write the email instead`
      : `nobody who works for your company is called ${text}`,
  }
}
