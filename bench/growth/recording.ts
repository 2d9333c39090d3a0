import type { Database, Db, Statement } from '../../src/platform/db.ts'

/** A statement that was run, with its values. */
export interface Ran {
  /** The line that declares it. */
  at: string
  text: string
  values: readonly unknown[]
}

/** Breaks off what would go on through everything. */
class Enough extends Error {}

/** Keeps what is asked of a database, for as long as somebody wants it. */
export function createRecorder() {
  let kept: Ran[] | null = null
  let most = 0
  const keep = ({ name = '', text }: Statement, values: readonly unknown[]) => {
    if (!kept) return
    if (kept.length >= most) throw new Enough('as much as is wanted of it')
    kept.push({ at: name, text, values })
  }
  const watched = <D extends Db>(db: D): D => ({
    ...db,
    query: async (statement, values) => {
      keep(statement, values)
      return db.query(statement, values)
    },
  })
  return {
    /** The same database, whose statements are kept. */
    watch<D extends Database>(db: D): D {
      const recorded: D = {
        ...watched(db),
        transaction: (work, isolation) => db.transaction((tx) => work(watched(tx)), isolation),
        reading: (_tenant, _shows, read) => read(recorded),
      }
      return recorded
    },
    /** What is asked while `work` is done, which is broken off after so many statements. */
    async during(limit: number, work: () => Promise<unknown>): Promise<Ran[]> {
      const mine: Ran[] = []
      kept = mine
      most = limit
      try {
        await work().catch((error: Error) => {
          if (mine.length < limit) throw error
        })
      } finally {
        kept = null
      }
      return mine
    },
  }
}

export type Recorder = ReturnType<typeof createRecorder>
