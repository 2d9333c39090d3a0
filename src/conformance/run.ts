import { setTimeout as wait } from 'node:timers/promises'
import { allRules, interfaceOf } from './chapters.ts'
import { createClient } from './client.ts'
import { type Kit, openKit } from './kit.ts'
import { Failed, NotApplicable } from './outcome.ts'
import type { Interface, Rule } from './rule.ts'
import type { Target } from './target.ts'

export interface Result {
  id: string
  interface: Interface
  /** The spec says it, or it was decided where the spec is silent. */
  source: 'spec' | 'decision'
  says: string
  result: 'passed' | 'failed' | 'not applicable'
  why: string | null
}

export interface RunOptions {
  /** Ids of rules, or how they begin: `v1.leads` is all below it. */
  only?: string[]
  interfaces?: Interface[]
  readOnly?: boolean
  specOnly?: boolean
  /** False leaves out the rules that use up the key's calls. */
  rateLimit?: boolean
  timeoutMs?: number
  signal?: AbortSignal
  note?: (line: string) => void
  /** After each rule. */
  told?: (result: Result, done: number, all: number) => void
}

const limits = 'v1.limits'
const within = (id: string, prefix: string) => id === prefix || id.startsWith(`${prefix}.`)

export function chosenRules({ only, interfaces, specOnly }: RunOptions): Rule[] {
  const chosen = allRules.filter(
    (rule) =>
      (!only || only.some((prefix) => within(rule.id, prefix))) &&
      (!interfaces || interfaces.includes(interfaceOf(rule))) &&
      !(specOnly && rule.decision),
  )
  for (const prefix of only ?? [])
    if (!allRules.some(({ id }) => within(id, prefix))) throw new Error(`No rule is called ${prefix}.`)
  if (chosen.length === 0) throw new Error('No rule is left to run.')
  return chosen
}

/** Runs the rules one after another; whatever the server does, each has its result. */
export async function runConformance(target: Target, options: RunOptions = {}): Promise<Result[]> {
  const rules = chosenRules(options)
  const { readOnly = false, timeoutMs = 15_000, note = () => {} } = options
  const signal = options.signal ?? new AbortController().signal
  const client = createClient({ timeoutMs, signal, note })
  const pause: Kit['pause'] = async (seconds, why) => {
    note(`Waiting ${seconds} s, ${why}.`)
    await wait(seconds * 1000, undefined, { signal })
  }
  const { kit, removals } = openKit(target, client, readOnly, pause)
  const results: Result[] = []
  try {
    for (const rule of rules) {
      signal.throwIfAborted()
      const left = options.rateLimit === false && within(rule.id, limits)
      const outcome = left ? notRun : await judge(rule, kit)
      signal.throwIfAborted()
      const { id, says } = rule
      const source = rule.decision ? 'decision' : 'spec'
      const result: Result = { id, interface: interfaceOf(rule), source, says, ...outcome }
      results.push(result)
      options.told?.(result, results.length, rules.length)
    }
  } finally {
    client.finish()
    // What the server does not let go stays: its own rules have said so.
    for (const remove of removals) await remove().catch(() => {})
    await client.close()
  }
  return results
}

type Outcome = Pick<Result, 'result' | 'why'>

const notRun: Outcome = { result: 'not applicable', why: 'left out by --no-rate-limit' }

async function judge(rule: Rule, kit: Kit): Promise<Outcome> {
  try {
    await rule.check(kit)
    return { result: 'passed', why: null }
  } catch (error) {
    if (error instanceof NotApplicable) return { result: 'not applicable', why: error.message }
    if (error instanceof Failed) return { result: 'failed', why: error.message }
    return { result: 'failed', why: `what the server answered cannot be judged: ${(error as Error).message}` }
  }
}
