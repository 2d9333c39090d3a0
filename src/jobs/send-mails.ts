import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { composeMail, messageHost } from '../domain/delivery/mails/compose-mail.ts'
import { noteLinkMailed } from '../domain/delivery/mails/link-mailed.ts'
import { maxUnanswered, outcomeOf, type SendingFailure } from '../domain/delivery/mails/outcome.ts'
import {
  claimMails,
  countWaitingMails,
  type LeasedMail,
  recordNotSent,
  recordSent,
  renewLeases,
} from '../domain/delivery/mails/queries.ts'
import { currentMs, currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { MailMetrics } from '../platform/metrics.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import type { Smtp } from '../platform/smtp.ts'
import { SmtpFailure } from '../platform/smtp-failure.ts'
import { traced } from '../platform/tracing/tracing.ts'
import { createMailSlots, type MailSlots } from './mail-slots.ts'

export interface MailSenderDeps {
  db: Database
  /** Opens the links that are kept apart from the text. */
  box: SecretBox
  smtp: Smtp
  from: string
  log: Log
  metrics: MailMetrics
  /** How long to leave a mail server alone that could not be reached, the first and the longest time. */
  serverWaitMs?: { first: number; max: number }
  /** How long a stop lets go on what is under way. */
  stopPatienceMs?: number
}

// A sender that is killed holds its mails for as long as this; one that lives says so in time.
const leaseMs = 120_000
const renewEveryMs = 30_000
const lookAgainMs = 1_000
const recordForMs = 60_000
const loose = { ref: false }

/**
 * Sends the mails that are due. Each is taken by a lease, sent while no transaction is open, and its outcome recorded:
 * a slow mail server holds up nobody but the mails it is slow with.
 */
export function createMailSender(deps: MailSenderDeps) {
  const { db, box, smtp, from, log, metrics } = deps
  const { serverWaitMs = { first: 5_000, max: 300_000 }, stopPatienceMs = 4_000 } = deps
  const lease = randomUUID()
  const host = messageHost(from)
  // What a person waits for has slots of its own.
  const allSlots = [
    createMailSlots({ urgent: true, slots: 3, perInstaller: 2, perDomain: 2 }),
    createMailSlots({ urgent: false, slots: 6, perInstaller: 4, perDomain: 3 }),
  ]
  const server = { failures: 0, leaveUntil: 0 }
  let stopping = false

  /** Whether any was taken. */
  async function take(slots: MailSlots, underWay: Set<Promise<void>>): Promise<boolean> {
    const now = currentTime()
    // One that could not be reached is tried with one mail, not with all of them.
    const room = server.failures > 0 ? Math.min(1, slots.room()) : slots.room()
    if (room <= 0 || performance.now() < server.leaveUntil) return false
    const leasedUntil = new Date(now.getTime() + leaseMs)
    const mails = await claimMails(db, { ...slots.fullness(), now, lease, leasedUntil, limit: room })
    for (const mail of mails) {
      slots.begin(mail)
      const done: Promise<void> = sendOne(mail).finally(() => {
        slots.end(mail)
        underWay.delete(done)
      })
      underWay.add(done)
    }
    return mails.length > 0
  }

  async function sendOne(mail: LeasedMail): Promise<void> {
    const began = performance.now()
    const failure = await trySending(mail)
    const now = currentTime()
    const { installerId, id } = mail
    const line = { mail: id, installer: installerId, ms: Math.round(performance.now() - began) }
    if (!failure) {
      server.failures = 0
      metrics.sent()
      log.info(line, 'a mail is sent')
      return record(mail, async () => {
        await noteLinkMailed(db, box, mail, now)
        await recordSent(db, { installerId, id, now })
      })
    }
    const { kind, status } = failure
    if (kind === 'server') leaveServer()
    else if (kind !== 'stopped') server.failures = 0
    const outcome = outcomeOf(mail, failure, now, Math.max(0, server.leaveUntil - performance.now()))
    if (outcome.state === 'failed') metrics.failed()
    else if (kind !== 'stopped') metrics.retried()
    // Neither the address nor the server's words, which often repeat it.
    const details = {
      ...line,
      why: kind,
      status,
      attempts: outcome.attempts,
      nextAttemptAt: outcome.nextAttemptAt,
    }
    if (outcome.state === 'failed') log.warn(details, 'a mail is given up')
    else log.info(details, 'a mail was not sent and is tried again')
    return record(mail, () => recordNotSent(db, { ...outcome, installerId, id, lease }))
  }

  async function trySending(mail: LeasedMail): Promise<(SendingFailure & { status: number | null }) | null> {
    if (mail.unanswered > maxUnanswered) {
      const message = 'It was handed to the mail server twice and no answer is known. It may have arrived.'
      return { kind: 'refused', message, status: null }
    }
    try {
      const message = { from, ...composeMail(mail, host, box) }
      await traced(
        'send mail',
        'CLIENT',
        () => ({ 'sunstead.mail_id': mail.id }),
        () => smtp.send(message),
      )
      return null
    } catch (error) {
      return failureOf(error, stopping)
    }
  }

  function leaveServer(): void {
    // Those that were under way at the same time tell nothing new.
    if (performance.now() < server.leaveUntil) return
    const wait = Math.min(serverWaitMs.max, serverWaitMs.first * 2 ** server.failures)
    server.failures++
    server.leaveUntil = performance.now() + wait
  }

  /** What is not recorded is sent once more, so a database that is away for a moment is waited for. */
  async function record(mail: LeasedMail, write: () => Promise<void>): Promise<void> {
    for (const until = performance.now() + recordForMs; ; ) {
      try {
        return await write()
      } catch (error) {
        if (stopping || performance.now() > until) {
          log.error({ mail: mail.id, error: String(error) }, 'what became of a mail could not be recorded')
          return
        }
        await sleep(1_000)
      }
    }
  }

  async function keepLeases(): Promise<void> {
    const held = allSlots.flatMap((slots) => slots.underWay())
    if (held.length > 0) await renewLeases(db, held, lease, new Date(currentMs() + leaseMs))
  }

  return {
    /** Returns when nothing is due and nothing under way, or soon after the signal. */
    async sendDue(signal: AbortSignal): Promise<void> {
      const underWay = new Set<Promise<void>>()
      const { promise: stop, resolve } = Promise.withResolvers<void>()
      const wake = () => resolve()
      signal.addEventListener('abort', wake)
      const renewing = setInterval(() => void keepLeases().catch(() => {}), renewEveryMs)
      try {
        while (!signal.aborted) {
          let taken = false
          const heldBack = underWay.size > 0
          for (const slots of allSlots) {
            const some = await take(slots, underWay).catch((error) => {
              // A database that is away must not keep those under way from being followed to their end.
              if (underWay.size === 0) throw error
              return false
            })
            taken ||= some
          }
          if (underWay.size === 0 && !taken && !heldBack) return
          if (!taken && underWay.size > 0)
            await Promise.race([...underWay, sleep(lookAgainMs, null, loose), stop])
        }
        await Promise.race([Promise.all(underWay), sleep(stopPatienceMs, null, loose)])
        stopping = true
        smtp.close()
      } finally {
        await Promise.all(underWay)
        clearInterval(renewing)
        signal.removeEventListener('abort', wake)
      }
    },
    /** Tells the metrics what waits. */
    async look(): Promise<void> {
      const { waiting, oldest } = await countWaitingMails(db, {})
      metrics.waiting(waiting, oldest ? Math.max(0, (currentMs() - oldest.getTime()) / 1_000) : 0)
    },
    close: () => smtp.close(),
  }
}

function failureOf(error: unknown, stopping: boolean): SendingFailure & { status: number | null } {
  if (!(error instanceof SmtpFailure)) return { kind: 'refused', message: String(error), status: null }
  const { status, message } = error
  const known = (kind: SendingFailure['kind']) => ({ kind, message, status })
  if (error.unusable) return known('refused')
  if (status === null && error.handedOver) {
    return { kind: 'unknown', message: `No answer came (${message}). It may have arrived.`, status }
  }
  if (stopping) return known('stopped')
  if (error.server || status === 421) {
    return { kind: 'server', message: `The mail server could not be used: ${message}`, status }
  }
  return known(status !== null && status >= 500 ? 'refused' : 'later')
}
