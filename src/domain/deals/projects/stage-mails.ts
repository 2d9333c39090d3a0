import type { StageMessage } from '../../kernel/tenant/stage.ts'

/** What those are told who are alerted when a project enters a stage. */
export function stageAlert(customer: string, stage: string): string {
  return `${customer}’s project is now in ${stage}`
}

export function alertMail(name: string, alert: string) {
  return { subject: alert, body: `Hello ${name},\n\n${alert}.\n` }
}

export type MessageWords = Record<'firstName' | 'lastName' | 'stage' | 'company', string>

/** A message to the customer with its placeholders filled in; what is none stays as it is. */
export function messageMail({ subject, body }: StageMessage, words: MessageWords) {
  return { subject: fill(subject, words), body: fill(body, words) }
}

function fill(text: string, words: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole)
}
