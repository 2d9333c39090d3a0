/** The values by which a list is in order, of one of its records. */
export type Key = readonly unknown[]

/** From where a page is counted down to: a record with so many others before it, or null, the beginning. */
export interface Start {
  before: number
  key: Key | null
}

interface Started {
  total: number
  /** How often the list has changed; null where that is not kept just now. */
  changes: number | null
  /** Of the first record of the page; null past the end, and where it is not asked for. */
  first: Key | null
}

/** Where pages begin, good for as long as the list has not changed: what is first after so many others. */
interface Known {
  changes: number
  total: number
  /** By the clock of the process. */
  untilMs: number
  starts: Map<number, Key>
}

export type StartedPages = ReturnType<typeof createStartedPages>

const keptLists = 200
const keptStarts = 200
/**
 * Nothing tells of what a version before writes without saying so, or of changes that were lost when another database took
 * over: what was remembered before that is soon gone.
 */
const keptMs = 60_000
const beginning: Start = { before: 0, key: null }

/**
 * Pages by number, from the nearest page before that is known. What is asked also says how often the list has changed:
 * where that is not what it was, the page is asked for once more, from the beginning.
 */
export function createStartedPages(clock = () => performance.now()) {
  const lists = new Map<string, Known>()

  function remember(list: string, { total, changes, first }: Started, before: number): void {
    const there = knownOf(list)
    lists.delete(list)
    if (changes === null) return
    const known =
      there?.changes === changes && there.total === total
        ? there
        : { changes, total, untilMs: clock() + keptMs, starts: new Map() }
    lists.set(list, known)
    if (lists.size > keptLists) lists.delete(lists.keys().next().value!)
    if (first === null) return
    const { starts } = known
    starts.delete(before)
    starts.set(before, first)
    if (starts.size > keptStarts) starts.delete(starts.keys().next().value!)
  }

  function knownOf(list: string): Known | undefined {
    const known = lists.get(list)
    return known && clock() < known.untilMs ? known : undefined
  }

  return async function startedPage<Page extends Started>(
    list: string,
    before: number,
    ask: (start: Start) => Promise<Page>,
  ): Promise<Page> {
    const known = knownOf(list)
    const start = nearest(known, before)
    let page = await ask(start)
    const isAsKnown = page.changes === known?.changes && page.total === known?.total
    if (start.key && !isAsKnown) page = await ask(beginning)
    remember(list, page, before)
    return page
  }
}

function nearest(known: Known | undefined, before: number): Start {
  let start = beginning
  for (const [there, key] of known?.starts ?? []) {
    if (there <= before && there > start.before) start = { before: there, key }
  }
  return start
}
