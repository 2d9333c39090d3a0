import { checkAddress } from '../../../platform/outbound/address.ts'
import { Refused } from '../../../platform/outbound/refused.ts'
import { DomainError } from '../../kernel/domain-error.ts'

export const maxWebhooks = 50

/** How one attempt to deliver ended. */
export interface Attempt {
  at: string
  duration_ms: number
  /** Null where no answer came. */
  status: number | null
  /** What went wrong, in words. */
  error: string | null
  /** How the answer begins. */
  answer: string | null
}

export interface LastDelivery {
  id: string
  event: string
  at: string
  delivered: boolean
  status: number | null
}

/** An endpoint as the API reads it. */
export interface Webhook {
  id: string
  url: string
  events: string[]
  status: 'enabled' | 'disabled'
  created_at: string
  last_delivery: LastDelivery | null
}

export function isDelivered({ status }: Pick<Attempt, 'status'>): boolean {
  return status !== null && status >= 200 && status <= 299
}

/** The endpoint says that it is no more. */
export function isGone({ status }: Attempt): boolean {
  return status === 410
}

/**
 * When a delivery that has failed is tried again; null when the schedule is used up. Up to a tenth is
 * added, so that what failed together does not come back together.
 */
export function nextAttempt(waitsSeconds: readonly number[], tries: number, now: Date): Date | null {
  const wait = waitsSeconds[tries]
  if (wait === undefined) return null
  return new Date(now.getTime() + Math.round(wait * 1000 * (1 + Math.random() / 10)))
}

const day = 86_400_000
const failingDays = 5

/** No attempt for this long, and a failure counts as the first: the waits of the schedule are shorter. */
export const quietMs = 2 * day

/** Whether an endpoint has failed for so long that it is given up. */
export function isGivenUp(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= failingDays * day
}

/** How long what happened can be read in the feed. */
export const feedRetentionMs = 90 * day

/** How long attempts, and deliveries that are done with, can be read and sent again. */
export const retentionMs = 30 * day

/** Refuses an address that nothing may be sent to. It is not repeated: secrets stand in addresses. */
export function checkUrl(url: string, trustedHosts: ReadonlySet<string>): void {
  try {
    checkAddress(url, trustedHosts)
  } catch (error) {
    throw error instanceof Refused ? new DomainError('invalid', `url: the address ${error.message}.`) : error
  }
}
