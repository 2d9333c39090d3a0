import type { Rows } from '../bed/postgres.ts'
import type { Caller } from './caller.ts'

interface Row {
  id: string
  updatedAt: string
}

/** A system that keeps a copy by `updatedSince`, as the interface says that it may. */
export interface Poller {
  /** Asks once for what is new; answers whether it got all of it. */
  poll(): Promise<boolean>
  /** Where the copy and the database differ, once nobody writes and it has polled. */
  compare(rows: Rows): Promise<string[]>
}

export function createPoller(
  caller: Caller,
  headers: Record<string, string>,
  resource: 'leads' | 'projects',
  installerId: string,
): Poller {
  const copy = new Map<string, string>()
  let since: string | null = null
  return {
    async poll() {
      const read: Row[] = []
      let cursor: string | null = null
      do {
        const query: [string, string][] = [['limit', '100']]
        if (since !== null) query.push(['updatedSince', since])
        if (cursor !== null) query.push(['cursor', cursor])
        const path = `/v1/${resource}?${new URLSearchParams(query)}`
        const answer = await caller.call({ kind: 'sync', method: 'GET', path, headers })
        if (!answer || answer.status >= 300) return false
        const page: { data: Row[]; next: string | null } = answer.body
        read.push(...page.data)
        cursor = page.next
      } while (cursor !== null)
      // A row that changed while we read comes again with the next poll: it is newer than the newest of the first page.
      for (const { id, updatedAt } of read.reverse()) copy.set(id, updatedAt)
      since = read.at(-1)?.updatedAt ?? since
      return true
    },
    async compare(rows) {
      const there = await rows<{ id: string; at: Date }>(
        `select id, updated_at as at from ${resource} where installer_id = $1`,
        [installerId],
      )
      const differ = there
        .filter(({ id, at }) => copy.get(id) !== at.toISOString())
        .map(
          ({ id, at }) =>
            `the copy has ${id} of ${copy.get(id) ?? 'no time'}, the database of ${at.toISOString()}`,
        )
      if (copy.size > there.length)
        differ.push(`the copy has ${copy.size} ${resource}, the database ${there.length}`)
      return differ
    },
  }
}
