import { currentTime } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db.ts'
import type { Scope } from '../../kernel/context.ts'
import type { Role } from '../../kernel/tenant/member.ts'
import {
  type Clock,
  type LoggedChange,
  listChanges,
  listClocks,
  listLiveSessions,
  listWhoIsOn,
  maxChanges,
} from './queries.ts'

/**
 * What is told to an open page: an event of the log, or one of three more. `activity`: something that is no event, a
 * note, say. `directory`: names, people or stages. `everything`: more than is told one by one.
 */
export interface LiveChange {
  type: string
  leadId: string | null
  projectId: string | null
}

/** An open page. */
export interface Listener {
  scope: Scope
  memberId: string
  role: Role
  sessionId: string
  notify(changes: readonly LiveChange[]): void
  /** Keeps the connection from being taken for a dead one. */
  beat(): void
  end(): void
}

export interface Live {
  /** Answers how to leave; null where the person has too many pages open. */
  join(listener: Listener): (() => void) | null
  /** Tells everybody that it is over. */
  close(): void
}

interface Seat {
  listener: Listener
  /** What happened until then is known to the page; null until the first look. */
  seen: Date | null
  version: number | null
  beatAt: number
}

/** How often it is looked for changes, and for sessions that have ended: those are told nothing a second later. */
const usualPace = { lookMs: 300, tendMs: 500, beatMs: 15_000 }
const maxOfOnePerson = 20
/** A page may have read what it shows this long before it is told of changes. */
const loadingMs = 10_000

/** Watches the tenants of open pages and tells each page what its person may see. */
export function createLive(db: Db, onError: (error: Error) => void, pace = usualPace): Live {
  const seats = new Set<Seat>()
  let looking: NodeJS.Timeout | null = null
  let tending: NodeJS.Timeout | null = null

  async function look(): Promise<void> {
    const byInstaller = Map.groupBy(seats, ({ listener }) => listener.scope.installerId)
    const clocks = await listClocks(db, { installerIds: [...byInstaller.keys()] })
    const renewed = await Promise.all(
      clocks.map((clock) => notifyTenant(db, clock, byInstaller.get(clock.installerId)!)),
    )
    // Whoever was let go or whose company was suspended is shown nothing more.
    if (renewed.includes(true)) await tend()
  }

  async function tend(): Promise<void> {
    // Whoever comes while it is asked is looked at the next time.
    const tended = [...seats]
    const ids = [...new Set(tended.map(({ listener }) => listener.sessionId))]
    const going = await listLiveSessions(db, { ids, now: currentTime() })
    const known = new Set(going.map(({ id, memberId, role }) => `${id} ${memberId} ${role}`))
    const now = performance.now()
    for (const seat of tended) {
      if (!seats.has(seat)) continue
      const { sessionId, memberId, role } = seat.listener
      if (!known.has(`${sessionId} ${memberId} ${role}`)) leave(seat).end()
      else if (now - seat.beatAt >= pace.beatMs) {
        seat.beatAt = now
        seat.listener.beat()
      }
    }
  }

  /** Runs again and again, the next time only when this one is done. */
  function repeat(work: () => Promise<void>, ms: number, keep: (timer: NodeJS.Timeout | null) => void): void {
    const again = () =>
      setTimeout(async () => {
        await work().catch(onError)
        keep(seats.size > 0 ? again() : null)
      }, ms)
    keep(again())
  }

  function leave(seat: Seat): Listener {
    seats.delete(seat)
    return seat.listener
  }

  return {
    join(listener) {
      const others = [...seats].filter((seat) => seat.listener.memberId === listener.memberId)
      if (others.length >= maxOfOnePerson) return null
      const seat: Seat = { listener, seen: null, version: null, beatAt: performance.now() }
      seats.add(seat)
      if (!looking) {
        repeat(look, pace.lookMs, (timer) => {
          looking = timer
        })
      }
      if (!tending) {
        repeat(tend, pace.tendMs, (timer) => {
          tending = timer
        })
      }
      return () => leave(seat)
    },
    close() {
      for (const seat of seats) leave(seat).end()
    },
  }
}

/** Answers whether companies, members or ladders are otherwise than at the last look. */
async function notifyTenant(db: Db, clock: Clock, seats: readonly Seat[]): Promise<boolean> {
  const { now, version, installerId } = clock
  const renewed = seats.some((seat) => seat.version !== null && seat.version !== version)
  const from = (seat: Seat) => seat.seen ?? new Date(now.getTime() - loadingMs)
  const earliest = new Date(Math.min(...seats.map((seat) => from(seat).getTime())))
  const changes = earliest < now ? await listChanges(db, { installerId, after: earliest, until: now }) : []
  const flood = changes.length > maxChanges
  const sees = flood ? null : await whoSees(db, installerId, changes, seats)
  const last = changes.at(-1)?.at ?? earliest
  for (const seat of seats) {
    const changed: LiveChange[] = []
    const missed = changes.some(({ at, type }) => at > from(seat) && isOfDirectory(type))
    if (seat.version === null ? missed : seat.version !== version) changed.push(plain('directory'))
    if (flood) changed.push(plain('everything'))
    else {
      for (const change of changes) {
        if (change.at > from(seat) && sees!(seat.listener, change)) {
          changed.push({ type: change.type, leadId: change.leadId, projectId: change.projectId })
        }
      }
      // The clock went on further than the events did.
      if (seat.seen && seat.seen < now && last < now) changed.push(plain('activity'))
    }
    seat.seen = now
    seat.version = version
    if (changed.length > 0) seat.listener.notify(changed)
  }
  return renewed
}

const directoryKinds = ['company', 'member', 'stage', 'ladder']
const isOfDirectory = (type: string) => directoryKinds.includes(type.split('.')[0]!)

const plain = (type: string): LiveChange => ({ type, leadId: null, projectId: null })

async function whoSees(
  db: Db,
  installerId: string,
  changes: readonly LoggedChange[],
  seats: readonly Seat[],
): Promise<(listener: Listener, change: LoggedChange) => boolean> {
  const own = new Set(seats.map(({ listener }) => listener.scope.memberId).filter((id) => id != null))
  const leadIds = new Set(changes.map(({ leadId }) => leadId).filter((id) => id !== null))
  const rows =
    own.size > 0 && leadIds.size > 0
      ? await listWhoIsOn(db, { installerId, leadIds: [...leadIds], memberIds: [...own] })
      : []
  const on = new Set(rows.map(({ leadId, memberId }) => `${memberId} ${leadId}`))
  return ({ scope }, { companyId, leadId, takenOff }) =>
    (scope.companyId === null || scope.companyId === companyId) &&
    // Who was taken off it is told too: it is theirs no more.
    (scope.memberId == null || on.has(`${scope.memberId} ${leadId}`) || takenOff.includes(scope.memberId))
}
