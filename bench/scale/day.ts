import type { Costs } from './costs.ts'
import type { Mix } from './mix.ts'
import { callsADay, kinds, model, type ObservedKind, type Size, sitesOf } from './model.ts'

export interface Day {
  calls: Record<ObservedKind, number>
  /** Bytes that stay on disk, by what brought them; the rows of the day of panels and sites are `day-rows`. */
  diskBytes: Record<ObservedKind | 'day-rows', number>
  walBytes: Record<ObservedKind, number>
  totalDiskBytes: number
  totalWalBytes: number
}

/** Deliveries that one lead or move brings, over all companies, told or not. */
export function deliveriesAChange({ kinds: results, webhook }: Pick<Mix, 'kinds' | 'webhook'>): number {
  const changes = results['post-lead'].done + results['move-stage'].done
  return changes > 0 ? webhook.done / changes : 0
}

/** A day at the realistic rate: what a call of each kind leaves, times the calls of a day. */
export function dayOf(
  size: Size,
  costs: Pick<Costs, 'kinds'>,
  rowBytes: Readonly<Record<string, number>>,
  deliveriesEach: number,
): Day {
  const day = callsADay(size)
  const calls = { ...day, webhook: (day['post-lead'] + day['move-stage']) * deliveriesEach }
  const by = (of: 'diskBytes' | 'walBytes') =>
    Object.fromEntries(
      [...kinds, 'webhook' as const].map((kind) => [kind, calls[kind] * costs.kinds[kind][of]]),
    ) as Record<ObservedKind, number>
  const diskBytes = {
    ...by('diskBytes'),
    'day-rows':
      size.panels * (rowBytes['panel_days'] ?? 0) + sitesOf(size) * (rowBytes['installation_days'] ?? 0),
  }
  const walBytes = by('walBytes')
  const sum = (parts: Record<string, number>) => Object.values(parts).reduce((total, one) => total + one, 0)
  return { calls, diskBytes, walBytes, totalDiskBytes: sum(diskBytes), totalWalBytes: sum(walBytes) }
}

/** How long what a kind leaves is kept by the server whatever else is: the request log, and what was delivered. */
const keptAtMostDays: Partial<Record<ObservedKind | 'day-rows', number>> = {
  'poll-projects': 14,
  'poll-leads': 14,
  page: 14,
  webhook: 30,
}

export function keptBytes({ diskBytes }: Day, keepDays: number): number {
  const parts = Object.entries(diskBytes) as [keyof Day['diskBytes'], number][]
  return parts.reduce(
    (sum, [kind, bytes]) => sum + bytes * Math.min(keepDays, keptAtMostDays[kind] ?? keepDays),
    0,
  )
}

/** Bytes of one reading: a call brings those of a site. */
export const bytesAReading = (costs: Pick<Costs, 'kinds'>) =>
  costs.kinds.readings.diskBytes / model.panelsASite
