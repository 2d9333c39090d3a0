import { type Context, confinedTo } from '../../kernel/context.ts'
import { listing } from '../../kernel/listing.ts'
import { authorize } from '../../kernel/policy.ts'
import { callsIn, endOfLine } from './lines.ts'
import { type KeyName, listBatches, listKeyNames, type StoredBatch } from './list-queries.ts'
import { type Call, failedFrom, longestBatchMs, retainedFrom } from './request.ts'

/** A place in the list: when, in which batch, and where in it. */
export interface Position {
  at: number
  ordinal: number
  line: number
}

export interface RequestSearch {
  requestId?: string | undefined
  keyId?: string | undefined
  /** From the first on and below the second. */
  statuses?: [number, number] | undefined
  method?: string | undefined
  /** How the route or the path begins. */
  address?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  before: Position | null
  limit: number
}

export interface Found extends Call, Position {
  companyId: string
  key: KeyName
}

export interface Page {
  requests: Found[]
  /** Where the next page begins; null where nothing older is kept. */
  next: Position | null
}

const fewestBatches = 20
const maxBatches = 1_000
const callsAtOnce = 10_000
// What is rare may be far back: a page looks through so many and no more, the next one goes on from there.
const maxLookedAt = 50_000
const beyondAll = 2 ** 31 - 1
// A call that began before its key was revoked is answered, and noted, long before this is over.
const longestAfterEndMs = 86_400_000

/** The calls made with the keys that the actor's company decides about, the newest first. */
export const searchRequests = listing(
  'anything',
  async ({ db, actor, now }: Context, search: RequestSearch): Promise<Page> => {
    authorize(actor, 'requests.read')
    const { installerId } = actor
    const oldest = retainedFrom(now)
    const names = await listKeyNames(db, {
      ...{ installerId, companyId: confinedTo(actor) },
      revokedAfter: new Date(oldest.getTime() - longestAfterEndMs),
    })
    const keys = new Map(
      names.filter(({ id }) => search.keyId === undefined || id === search.keyId).map((key) => [key.id, key]),
    )
    const from = search.from && search.from > oldest ? search.from : oldest
    const last = search.before?.at ?? Number.POSITIVE_INFINITY
    const to = new Date(Math.min(last, (search.to ?? now).getTime()))
    const span = {
      installerId,
      keyIds: [...keys.keys()],
      from,
      to,
      failed: search.statuses !== undefined && search.statuses[0] >= failedFrom,
      holding: search.requestId === undefined ? (search.address ?? null) : endOfLine(search.requestId),
    }
    let before: Pick<StoredBatch, 'lastAt' | 'ordinal'> = {
      lastAt: new Date(to.getTime() + longestBatchMs),
      ordinal: beyondAll,
    }
    const found: Found[] = []
    let limit = fewestBatches
    let lookedAt = 0
    for (;;) {
      const batches = await listBatches(db, { ...span, ...before, limit })
      let calls = 0
      for (const batch of batches) {
        const held = foundIn(batch, keys.get(batch.keyId)!)
        calls += held.length
        for (const call of held) if (fits(call, search, from, to)) found.push(call)
      }
      found.sort(newestFirst)
      if (batches.length < limit) return pageOf(found, search.limit, null)
      before = batches.at(-1)!
      // Batches not read yet end here or earlier: what is newer is settled.
      const place = { at: before.lastAt.getTime(), ordinal: beyondAll, line: beyondAll }
      const settled = found.filter(({ at }) => at > place.at)
      lookedAt += calls
      if (settled.length > search.limit || lookedAt >= maxLookedAt)
        return pageOf(settled, search.limit, place)
      // A busy key's batches hold many calls, others' one or two.
      const fitting = Math.floor((callsAtOnce * batches.length) / calls)
      limit = Math.min(maxBatches, Math.max(fewestBatches, fitting))
    }
  },
)

function pageOf(found: Found[], limit: number, rest: Position | null): Page {
  if (found.length <= limit) return { requests: found, next: rest }
  const requests = found.slice(0, limit)
  const { at, ordinal, line } = requests.at(-1)!
  return { requests, next: { at, ordinal, line } }
}

function foundIn({ lines, companyId, ordinal }: StoredBatch, key: KeyName): Found[] {
  return callsIn(lines).map((call, line) => ({ ...call, companyId, key, ordinal, line }))
}

function newestFirst(a: Position, b: Position): number {
  return b.at - a.at || b.ordinal - a.ordinal || b.line - a.line
}

function fits(
  call: Found,
  { requestId, statuses, method, address, before }: RequestSearch,
  from: Date,
  to: Date,
): boolean {
  return (
    call.at >= from.getTime() &&
    call.at <= to.getTime() &&
    (before === null || newestFirst(before, call) < 0) &&
    (requestId === undefined || call.requestId === requestId) &&
    (statuses === undefined || (call.status >= statuses[0] && call.status < statuses[1])) &&
    (method === undefined || call.method === method) &&
    (address === undefined || call.path.startsWith(address) || call.route.startsWith(address))
  )
}
