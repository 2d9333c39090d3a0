import { randomBytes } from 'node:crypto'
import type { Answer, Call, Client } from './client.ts'
import { told } from './expect.ts'
import { fail, notApplicable } from './outcome.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import type { Target } from './target.ts'

/** Calls one interface with one key. */
export interface Caller {
  get(path: string, call?: Call): Promise<Answer>
  post(path: string, body?: unknown, call?: Call): Promise<Answer>
  patch(path: string, body: unknown, call?: Call): Promise<Answer>
  delete(path: string): Promise<Answer>
  call(method: string, path: string, call?: Call): Promise<Answer>
}

/** What a rule has at hand. */
export interface Kit {
  target: Target
  installer: Caller
  /** Not applicable where no dealer's key was given. */
  dealer: Caller
  legacy: Caller
  legacyDealer: Caller
  catalog: Caller
  catalogDealer: Caller
  readOnly: boolean
  /** In the name of every record that the kit makes. */
  mark: string
  /** What several rules look at is asked for once. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
  /** Not applicable where the server cannot reach the kit. */
  receiver(): Promise<Receiver>
  pause(seconds: number, why: string): Promise<void>
  /** Called at the end, the latest first. */
  later(remove: () => Promise<unknown>): void
}

export interface OpenKit {
  kit: Kit
  removals: (() => Promise<unknown>)[]
}

export function openKit(target: Target, client: Client, readOnly: boolean, pause: Kit['pause']): OpenKit {
  const removals: (() => Promise<unknown>)[] = []
  const kept = new Map<string, Promise<unknown>>()
  const caller = (base: string, key: string | null): Caller => {
    const call = async (method: string, path: string, more: Call = {}) => {
      if (key === null) notApplicable("no dealer's key was given (--dealer-key)")
      if (readOnly && method !== 'GET') notApplicable('it may write, and --read-only was given')
      const answer = await client.send(method, base + path, { authorization: `Bearer ${key}`, ...more })
      // Whatever a rule expects to be refused, it is not by that.
      if (answer.status === 401 && more.authorization === undefined)
        fail(`${told(answer)}; the key itself is refused`)
      return answer
    }
    return {
      call,
      get: (path, more) => call('GET', path, more),
      post: (path, body, more) => call('POST', path, { body, ...more }),
      patch: (path, body, more) => call('PATCH', path, { body, ...more }),
      delete: (path) => call('DELETE', path),
    }
  }
  const v1 = `${target.baseUrl}/v1`
  const catalog = `${target.catalogBaseUrl}/v1`
  const kit: Kit = {
    target,
    installer: caller(v1, target.installerKey),
    dealer: caller(v1, target.dealerKey),
    legacy: caller(target.legacyBaseUrl, target.legacyKey),
    legacyDealer: caller(target.legacyBaseUrl, target.legacyDealerKey),
    catalog: caller(catalog, target.catalogKey),
    catalogDealer: caller(catalog, target.catalogDealerKey),
    readOnly,
    mark: `Conformance ${randomBytes(4).toString('hex')}`,
    once<T>(name: string, make: () => Promise<T>) {
      const made = (kept.get(name) as Promise<T> | undefined) ?? make()
      // Whoever asks for it hears of its failure; it is no failure of the kit that nobody waits for it just now.
      made.catch(() => {})
      kept.set(name, made)
      return made
    },
    receiver: () =>
      kit.once('receiver', async () => {
        if (target.receiver === null)
          notApplicable('the server cannot reach the kit: no address of it was given (--receiver-url)')
        const receiver = await openReceiver(target.receiver)
        removals.push(receiver.close)
        return receiver
      }),
    pause,
    later: (remove) => void removals.unshift(remove),
  }
  return { kit, removals }
}
