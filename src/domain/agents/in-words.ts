import type { Lead } from '../deals/leads/lead.ts'
import type { StageRecipients } from '../deals/projects/enter-stage.ts'
import type { Decimal } from '../kernel/money.ts'
import type { ProposedKind } from './agent-proposal.ts'

/** As the audit log says it: somebody proposed … */
export const kindsInWords: Record<ProposedKind, string> = {
  move: 'a stage move',
  sale: 'a sale',
  draftInvoice: 'an invoice',
  finalizeInvoice: 'the finalizing of an invoice',
}

export function customerOf({ customer: { firstName, lastName } }: Lead): string {
  return [firstName, lastName].filter(Boolean).join(' ') || 'a customer without a name'
}

/** Who is told when a stage is entered, in sentences. */
export function told({ customer, people }: StageRecipients): string[] {
  const sentences: string[] = []
  if (customer)
    sentences.push(
      `${customer.name || 'The customer'} is mailed at ${customer.email}: ${customer.subjects.map((subject) => `“${subject}”`).join(', ')}.`,
    )
  if (people.length > 0) sentences.push(`${people.join(', ')} ${people.length === 1 ? 'is' : 'are'} alerted.`)
  return sentences
}

/** 1234.50 and EUR → €1,234.50. Exact: text is formatted as it stands. */
export function amountInWords(amount: Decimal, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(
    amount as Intl.StringNumericLiteral,
  )
}
