import Type from 'typebox'
import type { NamedPerson } from '../../domain/deals/assignments/named-people.ts'
import { leadLimits } from '../../domain/deals/leads/lead.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'

type Text = string | null

/** Somebody as a body names them. */
export type PersonBody = string | { id?: string; name?: Text; email?: Text; phone?: Text } | null

const textOrNull = (maxLength: number, description: string) => ({
  type: ['string', 'null'],
  maxLength,
  description,
})

/** Whoever a read answers is taken back as they are: by their email, or by their id. */
export const person = (description: string) =>
  Type.Unsafe<PersonBody>({
    type: ['object', 'string', 'null'],
    minLength: 1,
    maxLength: leadLimits.email,
    properties: {
      id: { type: 'string', minLength: 1, maxLength: 64, description: 'The id of the member' },
      email: textOrNull(leadLimits.email, 'The email of the member, where no id is sent'),
      name: textOrNull(leadLimits.name, 'Not looked at'),
      phone: textOrNull(leadLimits.phone, 'Not looked at'),
    },
    additionalProperties: false,
    description: `${description}: an email or a member id as text, or an object as a read answers it, or with \`id\`. Null takes them off`,
    examples: [{ email: 'sam@example.com' }],
  })

/** Undefined where the body says nothing. */
export function namedPerson(body: PersonBody | undefined, field: string): NamedPerson | null | undefined {
  if (body === undefined || body === null) return body
  if (typeof body === 'string') return body.includes('@') ? { email: body } : { id: body }
  if (body.id) return { id: body.id }
  if (body.email) return { email: body.email }
  throw new DomainError(
    'invalid',
    `${field}: say who is meant by id or email, or send null to take them off.`,
  )
}
