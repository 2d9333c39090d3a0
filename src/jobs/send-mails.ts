import nodemailer from 'nodemailer'
import { settleMail, takeDueMail } from '../domain/mails/queries.ts'
import type { Database } from '../platform/db.ts'

// Five tries over some nine hours, then it is given up and stays readable as failed.
const waitsMs = [60_000, 600_000, 3_600_000, 28_800_000]

/** Sends the mails that are due, each in a transaction of its own: what is not settled is sent again. */
export function createMailSender(db: Database, smtpUrl: string, from: string) {
  const transport = nodemailer.createTransport(smtpUrl, {
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  } as object)

  async function sendOne(now: Date): Promise<boolean> {
    return db.transaction(async (tx) => {
      const mail = await takeDueMail(tx, now)
      if (!mail) return false
      try {
        await transport.sendMail({ from, to: mail.to, subject: mail.subject, text: mail.body })
        await settleMail(tx, mail, { state: 'sent', sentAt: now, error: null, nextAttemptAt: now })
      } catch (error) {
        const wait = waitsMs[mail.attempts]
        const nextAttemptAt = new Date(now.getTime() + (wait ?? 0))
        const state = wait === undefined ? 'failed' : 'queued'
        await settleMail(tx, mail, { state, sentAt: null, error: String(error).slice(0, 500), nextAttemptAt })
      }
      return true
    })
  }

  return {
    async sendDue(signal: AbortSignal): Promise<void> {
      while (!signal.aborted && (await sendOne(new Date())));
    },
    close: () => transport.close(),
  }
}
