import { type Answer, type ClientOptions, createClient } from './client.ts'
import { Failed } from './outcome.ts'
import type { Interface } from './rule.ts'
import { at } from './shape.ts'
import type { Target } from './target.ts'

/** One call by which a key is tried at an interface before any rule is run. */
interface Trial {
  of: Interface
  /** How the key was given. */
  option: string
  key: string
  url: string
  isDealer: boolean
}

function trialsOf(target: Target): Trial[] {
  const { baseUrl, legacyBaseUrl, catalogBaseUrl, installerKey } = target
  const places: [of: Interface, url: string, key: string, dealerKey: string | null, option: string][] = [
    ['v1', `${baseUrl}/v1/me`, installerKey, target.dealerKey, '--installer-key'],
    ['legacy', `${legacyBaseUrl}/fetch_all_adders`, target.legacyKey, target.legacyDealerKey, '--legacy-key'],
    ['catalogue', `${catalogBaseUrl}/v1/panels`, target.catalogKey, target.catalogDealerKey, '--catalog-key'],
  ]
  return places.flatMap(([of, url, key, dealerKey, option]) => [
    { of, option: key === installerKey ? '--installer-key' : option, key, url, isDealer: false },
    ...(dealerKey === null ? [] : [{ of, option: '--dealer-key', key: dealerKey, url, isDealer: true }]),
  ])
}

/**
 * What is wrong with the addresses and keys themselves, a line each; none where the rules can be run. Only what is no fault of
 * a server is told here: whatever else it answers, the rules judge.
 */
export async function unreachable(
  target: Target,
  interfaces: Interface[],
  options: ClientOptions,
): Promise<string[]> {
  const client = createClient(options)
  const get: Get = (url, key) => client.send('GET', url, { authorization: `Bearer ${key}` })
  const trials = trialsOf(target).filter(({ of }) => interfaces.includes(of))
  const lines = new Set<string>()
  const dead = new Set<string>()
  try {
    for (const [i, trial] of trials.entries()) {
      if (dead.has(trial.url) || dead.has(new URL(trial.url).origin)) continue
      const wrong = await tried(trial, get)
      if (wrong) lines.add(wrong.line)
      if (wrong?.dead) dead.add(wrong.dead)
      // Before the other interfaces refuse a key for being somebody else's.
      if (trial.of === 'v1' && trials[i + 1]?.of !== 'v1' && lines.size === 0) {
        const line = await mistaken(target, get)
        if (line) return [line]
      }
    }
  } finally {
    await client.close()
  }
  return [...lines]
}

type Get = (url: string, key: string) => Promise<Answer>

/** What is wrong, and the address at which no other key need be tried. */
async function tried(
  { of, option, key, url, isDealer }: Trial,
  get: Get,
): Promise<{ line: string; dead?: string } | null> {
  try {
    const { status } = await get(url, key)
    const call = `GET ${shownUrl(url)} answers ${status}.`
    if (status === 401 || (status === 403 && (!isDealer || of === 'v1')))
      return { line: `${option} is refused: ${call}` }
    if (!isDealer && (status === 404 || (status >= 300 && status < 400)))
      return { line: `There is no ${of} interface here: ${call}`, dead: url }
    return null
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    const { origin } = new URL(url)
    return { line: `No answer from ${origin}: ${error.message}.`, dead: origin }
  }
}

/**
 * Whose the keys are, by the catalogue, which is closed to dealers. One that is open to them may be the server's fault, so a
 * dealer's key counts as an installer's only where the server says so itself.
 */
async function mistaken({ baseUrl, dealerKey, installerKey }: Target, get: Get): Promise<string | null> {
  if (dealerKey === installerKey) return '--installer-key and --dealer-key are the same key.'
  const url = `${baseUrl}/v1/adders`
  try {
    if ((await get(url, installerKey)).status === 403)
      return dealerKey !== null && (await get(url, dealerKey)).status === 200
        ? `--installer-key and --dealer-key are swapped: GET ${shownUrl(url)} answers 403 to the first and 200 to the second.`
        : `--installer-key is a dealer's key: GET ${shownUrl(url)} answers 403.`
    if (dealerKey === null) return null
    const { json } = await get(`${baseUrl}/v1/me`, dealerKey)
    return at(json, 'company.kind') === 'installer'
      ? "--dealer-key is an installer's key: GET /v1/me says so."
      : null
  } catch (error) {
    // It answered before; the rules say what it does now.
    if (error instanceof Failed) return null
    throw error
  }
}

/** Without what an address may carry that is nobody else's business. */
function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
