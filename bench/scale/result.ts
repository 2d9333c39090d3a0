import type { Costs } from './costs.ts'
import type { DatabaseFacts } from './database-facts.ts'
import type { Day } from './day.ts'
import type { Mix } from './mix.ts'
import type { Kind, model } from './model.ts'
import type { Search } from './search.ts'

/** What a run found; `--json` prints it, and `--extend` reads it. */
export interface ScaleResult {
  machine: Record<string, unknown>
  database: Pick<DatabaseFacts, 'version' | 'citus' | 'cpuSource'>
  companies: number
  panels: number
  processes: number
  model: typeof model
  /** Calls a second in the busiest hour. */
  rates: Record<Kind, number>
  costs: Costs
  mix: Mix
  rowBytes: Record<string, number>
  deliveriesAChange: number
  day: Day
  search: Search | null
}
