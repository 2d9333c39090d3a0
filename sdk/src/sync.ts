import { ApiError } from './api-error.ts'
import type { CompanyApi, Event, Lead, Project } from './generated/company.ts'
import { pause } from './retry.ts'

/** Where the caller keeps how far a sync has come: a short text, one for each sync. */
export interface SyncStore {
  /** Null or undefined where there is none yet. */
  load(): Promise<string | null | undefined> | string | null | undefined
  save(state: string): Promise<void> | void
}

export interface SyncOptions {
  store: SyncStore
  /** Goes on waiting for changes once it has caught up, until the signal ends it. */
  follow?: boolean | undefined
  /** How long a follower waits before it looks again; 5 seconds when absent. */
  pollMs?: number | undefined
  /** Records or events in a call, and in a batch; 100 when absent. */
  limit?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Batch<T> {
  items: T[]
  /** Where to go on behind it: what is handed to `save` once the batch has been worked on. */
  state: string
}

/**
 * Item by item, or batch by batch. How far it has come is saved once the whole batch was worked on, which is when the next one is
 * asked for: after a crash, some items come again, and none is left out.
 */
export interface Sync<T> extends AsyncIterable<T> {
  batches(): AsyncIterable<Batch<T>>
}

/** What to do to a copy. */
export type Change<T> =
  | { type: 'changed'; id: string; record: T }
  | { type: 'deleted'; id: string }
  /** Every record follows. What is in the copy and has not come again until `caughtUp` is gone: mark it now, remove it then. */
  | { type: 'restarted' }
  /** The copy is what is there. */
  | { type: 'caughtUp' }

/** Events are missing, as nobody read for longer than they are kept: read the records anew. The oldest that is kept follows. */
export interface FeedRestarted {
  type: 'feed.restarted'
}

interface State {
  v: 1
  /** Which sync it is of: what was saved by another is not gone on from. */
  of: string
  /** Up to which change records were told. */
  since?: string | undefined
  /** Up to where the feed was read. */
  place?: string | undefined
}

const defaultLimit = 100
const defaultPollMs = 5_000

export function syncRecords(
  api: CompanyApi,
  list: 'leads' | 'projects',
  options: SyncOptions & { productLine?: 'solar' | 'hi' | undefined },
): Sync<Change<Lead | Project>> {
  type Item = Change<Lead | Project>
  const { store, productLine, signal, limit = defaultLimit } = options
  const of = productLine ? `${list}:${productLine}` : list
  const read = (updatedSince: string | undefined, cursor: string | undefined) =>
    list === 'leads'
      ? api.leads.list({ order: 'asc', limit, productLine, updatedSince, cursor }, { signal })
      : api.projects.list(
          { order: 'asc', limit, productLine, updatedSince, cursor, expand: 'project' },
          { signal },
        )

  /** Of what is gone, no list tells: a project is, once its sale was undone. Leads stay. */
  const deletions = (after: string) =>
    api.events.list({ after, limit: defaultLimit, types: 'project.deleted' }, { signal })

  async function begin(): Promise<State> {
    // First the place in the feed, then the lists: what is deleted meanwhile is told after.
    return { v: 1, of, place: list === 'projects' ? (await deletions('now')).next : undefined }
  }

  async function* changed(state: State): AsyncGenerator<Item[]> {
    const { since } = state
    for (let cursor: string | undefined; ; ) {
      const { data, next } = await read(since, cursor)
      const records = data as (Lead | Project)[]
      state.since = records.at(-1)?.updatedAt ?? state.since
      if (records.length > 0) yield records.map((record) => ({ type: 'changed', id: record.id, record }))
      // A page may be empty and not the last.
      if (next === null) return
      cursor = next
    }
  }

  async function* deleted(state: State): AsyncGenerator<Item[]> {
    while (state.place !== undefined) {
      const { data, next } = await deletions(state.place)
      const hasMoved = next !== state.place
      state.place = next
      if (data.length > 0) yield data.map(({ record }) => ({ type: 'deleted', id: record.id }))
      // An old place is forgotten by the server, so the newest is kept though nothing was there.
      else if (hasMoved) await store.save(JSON.stringify(state))
      if (data.length === 0) return
    }
  }

  async function* steps(): AsyncGenerator<[Item[], State]> {
    let state = await load(store, of)
    let hasBegun = false
    for (let isAnew = true; ; ) {
      if (!state) {
        state = await begin()
        hasBegun = true
        yield [[{ type: 'restarted' }], state]
        isAnew = true
      }
      try {
        for (const step of [changed, deleted])
          for await (const items of step(state)) {
            yield [items, state]
            isAnew = true
          }
      } catch (error) {
        // A place that was given just now and is refused would be a circle.
        if (hasBegun || !isForgotten(error)) throw error
        state = null
        continue
      }
      hasBegun = false
      if (isAnew) yield [[{ type: 'caughtUp' }], state]
      isAnew = false
      if (!options.follow) return
      await pause(options.pollMs ?? defaultPollMs, signal)
    }
  }
  return syncOf(store, steps)
}

export function syncEvents(
  api: CompanyApi,
  options: SyncOptions & { types?: string | undefined; from?: 'oldest' | 'now' | undefined },
): Sync<Event | FeedRestarted> {
  const { store, types, from = 'oldest', signal, limit = defaultLimit } = options

  async function* steps(): AsyncGenerator<[(Event | FeedRestarted)[], State]> {
    const state: State = (await load(store, 'events')) ?? { v: 1, of: 'events' }
    let after = state.place ?? (from === 'now' ? 'now' : undefined)
    for (let hasRestarted = false; ; ) {
      const page = await api.events.list({ after, types, limit }, { signal }).catch((error: unknown) => {
        if (hasRestarted || after === undefined || !isForgotten(error)) throw error
        return null
      })
      if (!page) {
        hasRestarted = true
        state.place = after = undefined
        yield [[{ type: 'feed.restarted' }], state]
        continue
      }
      const hasMoved = page.next !== state.place
      state.place = after = page.next
      if (page.data.length > 0) yield [page.data, state]
      else {
        hasRestarted = false
        if (hasMoved) await store.save(JSON.stringify(state))
        if (!options.follow) return
        await pause(options.pollMs ?? defaultPollMs, signal)
      }
    }
  }
  return syncOf(store, steps)
}

/** What cannot be read, or is of another sync, is as good as none: all is told anew. */
async function load(store: SyncStore, of: string): Promise<State | null> {
  const text = await store.load()
  try {
    const state = JSON.parse(text ?? 'null') as State | null
    return state?.v === 1 && state.of === of ? state : null
  } catch {
    return null
  }
}

/** The place in the feed is older than what is kept, or no place of this company's (any more). */
const isForgotten = (error: unknown) =>
  error instanceof ApiError &&
  (error.status === 410 || (error.status === 400 && error.fields.some(({ path }) => path === 'after')))

function syncOf<T>(store: SyncStore, steps: () => AsyncGenerator<[T[], State]>): Sync<T> {
  async function* batches(): AsyncGenerator<Batch<T>> {
    for await (const [items, state] of steps()) {
      const text = JSON.stringify(state)
      yield { items, state: text }
      await store.save(text)
    }
  }
  return {
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of batches()) yield* items
    },
  }
}
