import type pg from 'pg'
import type { GrowthApp } from './app.ts'
import type { Call, Kind, Place } from './call.ts'
import type { Cost, Explainer } from './explain.ts'

/** What a call took at one size. */
export interface Measured {
  kind: Kind
  name: string
  grows: string | null
  beside: Call['beside'] | null
  buffers: number
  ms: number
  /** Of its statements, the one that read the most, first. */
  statements: Cost[]
}

/** A job that goes through all records is broken off after so many: each of the others is like those before. */
const maxStatements = 100

/** Runs a call once, and explains each of its statements. */
export async function measure(
  app: GrowthApp,
  explainer: Explainer,
  call: Call,
  place: Place,
  times: number,
): Promise<Measured> {
  await call.before?.(app, place)
  const ran = await app.recorder.during(maxStatements, () => call.run(app, place))
  const statements: Cost[] = []
  for (const one of ran) {
    if (isOfSession(one.text)) continue
    // What a job has just written cannot be written once more.
    const cost = await explainer.explain(one, times).catch((error: pg.DatabaseError) => {
      if (error.code !== '23505') throw error
    })
    if (cost) statements.push(cost)
  }
  statements.sort((a, b) => b.buffers - a.buffers)
  const counted = call.byParts ? statements.slice(0, 1) : statements
  const sum = (of: (cost: Cost) => number) => counted.reduce((total, cost) => total + of(cost), 0)
  return {
    ...{ kind: call.kind, name: call.name, grows: call.grows ?? null, beside: call.beside ?? null },
    ...{ buffers: sum((cost) => cost.buffers), ms: sum((cost) => cost.ms), statements: counted },
  }
}

/** What cannot be explained, and reads no table. */
const isOfSession = (text: string) => /^\s*(set|begin|commit|lock|create|alter|drop|listen)\b/i.test(text)
