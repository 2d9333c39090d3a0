import pg from 'pg'
import { sessionSettings } from '../../src/platform/db.ts'
import type { Ran } from './recording.ts'

/** What running a statement took. */
export interface Cost {
  at: string
  /** Pages read, from memory or disk, those of what did not fit into memory included. */
  buffers: number
  ms: number
  /** How often each index was gone down into. */
  searches: Record<string, number>
  /** The plan in short: what reads tables, and by which index. */
  plan: string[]
}

interface Plan {
  'Node Type': string
  'Subplan Name'?: string
  'CTE Name'?: string
  'Relation Name'?: string
  'Index Name'?: string
  /** From PostgreSQL 18 on; before, one a loop. */
  'Index Searches'?: number
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Temp Read Blocks': number
  'Temp Written Blocks': number
  Plans?: Plan[]
}

/** A connection as the server's own, planning each statement once for all values, as the server does. */
export async function openExplainer(url: string) {
  const options = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`)
  const client = new pg.Client({ connectionString: url, options: options.join(' ') })
  await client.connect()
  const prepared = new Map<string, string>()

  async function explain({ at, text, values }: Ran, times: number): Promise<Cost> {
    const name = prepared.get(text) ?? `growth_${prepared.size}`
    if (!prepared.has(text)) {
      await client.query(`prepare ${name} as ${text}`)
      prepared.set(text, name)
    }
    const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
    const runs: { plan: Plan; ms: number }[] = []
    // Once for what is not in memory, and what the pages note of their rows when they are first read.
    for (let run = 0; run <= times; run++) {
      // What it writes is taken back.
      await client.query('begin')
      try {
        const { rows } = await client.query(
          `explain (analyze, buffers, timing off, format json) execute ${name}${given}`,
        )
        const [found] = rows[0]['QUERY PLAN']
        runs.push({ plan: found.Plan, ms: found['Execution Time'] })
      } finally {
        await client.query('rollback')
      }
    }
    const [, ...warm] = runs
    const last = warm.at(-1)!.plan
    return {
      at,
      buffers: [last, ...writesBeside(last)].reduce((sum, plan) => sum + pagesOf(plan), 0),
      // Whatever else the machine does only makes it longer.
      ms: Math.min(...warm.map(({ ms }) => ms)),
      searches: searchesOf(last),
      plan: shortPlan(last),
    }
  }
  /** How many pages each index is gone down through before its last. */
  async function levels(): Promise<Record<string, number>> {
    await client.query('create extension if not exists pageinspect')
    const { rows } = await client.query<{ name: string; level: number }>(
      `select c.relname::text as name, (bt_metap(c.oid::regclass::text)).fastlevel::int as level
       from pg_class c join pg_am a on a.oid = c.relam
       where c.relkind = 'i' and a.amname = 'btree' and c.relnamespace = 'public'::regnamespace`,
    )
    return Object.fromEntries(rows.map(({ name, level }) => [name, level]))
  }
  return { explain, levels, close: () => client.end() }
}

export type Explainer = Awaited<ReturnType<typeof openExplainer>>

const literal = (value: unknown): string =>
  value === null || value === undefined ? 'null' : pg.escapeLiteral(written(value))

function written(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return written(value)
  return `"${written(value).replaceAll(/["\\]/g, '\\$&')}"`
}

const pagesOf = (plan: Plan): number =>
  plan['Shared Hit Blocks'] +
  plan['Shared Read Blocks'] +
  plan['Temp Read Blocks'] +
  plan['Temp Written Blocks']

/** Writes of a `with` that nothing reads: they are done behind the statement and not in what it has read. */
function writesBeside(plan: Plan): Plan[] {
  const read = new Set<string>()
  const collect = (one: Plan): void => {
    if (one['CTE Name']) read.add(`CTE ${one['CTE Name']}`)
    one.Plans?.forEach(collect)
  }
  collect(plan)
  return (plan.Plans ?? []).filter(
    ({ 'Node Type': type, 'Subplan Name': name = '' }) =>
      type === 'ModifyTable' && name.startsWith('CTE ') && !read.has(name),
  )
}

function searchesOf(plan: Plan, found: Record<string, number> = {}): Record<string, number> {
  const name = plan['Index Name']
  const searches = plan['Index Searches'] ?? plan['Actual Loops']
  if (name) found[name] = (found[name] ?? 0) + searches
  for (const below of plan.Plans ?? []) searchesOf(below, found)
  return found
}

/** What reads a table, with how many rows it came to; each once. */
function shortPlan(plan: Plan, found: string[] = []): string[] {
  const type = plan['Node Type']
  const name = plan['Index Name'] ?? plan['Relation Name']
  if (name && /Scan/.test(type)) {
    const short = type
      .replace('Index Only Scan', 'only')
      .replace('Index Scan', '')
      .replace('Bitmap Heap Scan', 'heap')
    const word = `${short} ${name}`.trim()
    if (!found.includes(word)) found.push(word)
  } else if (/Sort|Seq/.test(type) && !found.includes(type)) found.push(type.toLowerCase())
  for (const below of plan.Plans ?? []) shortPlan(below, found)
  return found
}
