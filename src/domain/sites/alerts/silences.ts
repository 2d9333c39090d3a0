import type { LocalTime, MeasuredInstallation, Silence } from './measured-installation.ts'
import { median } from './statistics.ts'

/** How long silences are remembered. */
export const silenceDays = 28
/** Nights, and days so dull that nothing wakes up, are shorter. */
const notedMs = 20 * 3_600_000

export interface SilenceChange {
  installationId: string
  /** Which silence it is. */
  beganAt: Date
  ended: boolean
}

/** What is to be noted of an installation whose last reading was over at a time. */
export function silenceChanges(
  { id, silences }: MeasuredInstallation,
  lastAt: Date,
  time: LocalTime,
): SilenceChange[] {
  const dayOf = (end: Date) => time.dayOf(new Date(end.getTime() - 1))
  const lastDay = dayOf(lastAt)
  const ended = silences
    .filter(({ beganAt, endedAt }) => endedAt === null && dayOf(beganAt) < lastDay)
    .map(({ beganAt }): SilenceChange => ({ installationId: id, beganAt, ended: true }))
  // By the day: of what is further back than a few days, the hour is not known any more.
  const known = silences.some(({ beganAt }) => dayOf(beganAt) === lastDay)
  if (known || time.now.getTime() - lastAt.getTime() <= notedMs) return ended
  return [...ended, { installationId: id, beganAt: lastAt, ended: false }]
}

/**
 * How long silence usually is for a logger that sends now and then what it has gathered: what it sends ends before it is
 * sent, so the next silence has begun when one ends. Null for others, and where it was not seen yet.
 */
export function usualSilenceMs(silences: readonly Silence[], latestBeganAt: Date): number | null {
  const lengths = silences.flatMap(({ beganAt, endedAt }, i) => {
    const next = silences[i + 1]?.beganAt ?? latestBeganAt
    return endedAt !== null && endedAt >= next ? [endedAt.getTime() - beganAt.getTime()] : []
  })
  return lengths.length === 0 ? null : median(lengths)
}
