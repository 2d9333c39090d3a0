import type { LookupAddress } from 'node:dns'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { getCACertificates } from 'node:tls'
import type { buildConnector as Connector } from 'undici'
import { checkAddress, isPublicAddress, isTrusted } from './address.ts'
import { explainOutboundFailure } from './failure.ts'
import { namesOfThisNetwork, publicNames, type Resolve } from './names.ts'
import { type PostAnswer, type PostOptions, post } from './post.ts'
import { OutboundRefused, OutboundUnavailable } from './refused.ts'
import { Agent, buildConnector } from './undici.ts'

export type OutboundOptions = {
  trustedHosts: ReadonlySet<string>
  /** Certificates trusted in addition to the usual ones, in PEM. */
  ca?: string
  /** Instead of the usual ways of finding a name. */
  resolve?: Resolve
  isPublic?: (ip: string) => boolean
  /** From looking up the name to the end of the TLS handshake. */
  connectTimeoutMs?: number
}

export type OpenOptions = {
  /** Bounds the whole exchange, the body included. */
  signal: AbortSignal
  /** Called when a server has answered, which each redirect does again. */
  onAnswer?: () => void
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** How many redirects of a GET are followed; with 0 a redirect is answered as it came. */
  redirects?: number
}

export type OutboundAnswer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
  finalUrl: URL
}

export type Outbound = {
  /** Checks the form of an address only; nothing is resolved or called. */
  check(url: string): URL
  open(url: string, options: OpenOptions): Promise<OutboundAnswer>
  /** Posts to what `check` has answered. */
  post(url: URL, options: PostOptions): Promise<PostAnswer>
  close(): Promise<void>
}

/** Calls to addresses that came from outside: each connection goes to an address that was checked. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { trustedHosts } = options
  const agent = new Agent({
    connect: guardedConnector(options),
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveMaxTimeout: 30_000,
  })

  async function request(url: URL, { signal, method = 'GET', headers = {}, body }: OpenOptions) {
    try {
      return await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: { 'user-agent': 'Sunstead', ...headers },
        body: body ?? null,
        signal,
      })
    } catch (error) {
      throw explainOutboundFailure(error, signal)
    }
  }

  async function open(address: string, call: OpenOptions): Promise<OutboundAnswer> {
    const maxRedirects = call.method === 'POST' ? 0 : (call.redirects ?? 5)
    let url = checkAddress(address, trustedHosts)
    for (let followed = 0; ; followed++) {
      call.signal.throwIfAborted()
      const { statusCode: status, headers, body } = await request(url, call)
      call.onAnswer?.()
      const location = headers['location']
      if (maxRedirects === 0 || ![301, 302, 303, 307, 308].includes(status) || typeof location !== 'string') {
        return { status, headers, body, finalUrl: url }
      }
      body.on('error', () => {}).destroy()
      if (followed === maxRedirects) {
        throw new OutboundRefused(`redirects more than ${maxRedirects} times; give the final address`)
      }
      url = redirectTarget(location, url, trustedHosts)
    }
  }

  return {
    check: (url) => checkAddress(url, trustedHosts),
    open,
    post: (url, call) => post(agent, url, call),
    close: () => agent.destroy(),
  }
}

function redirectTarget(location: string, base: URL, trustedHosts: ReadonlySet<string>): URL {
  try {
    return checkAddress(URL.parse(location, base)?.href ?? location, trustedHosts)
  } catch (error) {
    throw new OutboundRefused(`redirects to another address, which ${(error as Error).message}`)
  }
}

function guardedConnector({
  trustedHosts,
  ca,
  resolve,
  isPublic = isPublicAddress,
  connectTimeoutMs = 10_000,
}: OutboundOptions) {
  const findPublic = resolve ?? publicNames()
  const findTrusted = resolve ?? namesOfThisNetwork
  const authorities = ca ? { ca: [...getCACertificates('default'), ca] } : {}

  async function checkedAddresses({ protocol, hostname, port }: Connector.Options) {
    const host = isIPv6(hostname) ? `[${hostname}]` : hostname
    const url = new URL(`${protocol}//${host}${port ? `:${port}` : ''}`)
    const trusted = isTrusted(url, trustedHosts)
    const addresses = isIP(hostname)
      ? [{ address: hostname, family: isIPv6(hostname) ? 6 : 4 }]
      : await (trusted ? findTrusted : findPublic)(hostname)
    if (addresses.length === 0) throw new OutboundRefused('has a host name that could not be found')
    if (!trusted && !addresses.every(({ address }) => isPublic(address))) {
      throw new OutboundRefused('has a host name that does not lead to a public address')
    }
    return addresses
  }

  async function connect(options: Connector.Options, callback: Connector.Callback): Promise<void> {
    const started = performance.now()
    const timer = new AbortController()
    try {
      const addresses = await Promise.race([
        checkedAddresses(options),
        wait(connectTimeoutMs, undefined, { signal: timer.signal, ref: false }).then(() => {
          throw new OutboundUnavailable('has a host name that took too long to look up')
        }),
      ])
      // The socket asks this for the name and gets what was just checked: a name that answers
      // differently the next time is never asked again. No TLS session outlives its connection.
      const connectChecked = buildConnector({
        ...authorities,
        lookup: pinnedLookup(addresses),
        autoSelectFamilyAttemptTimeout: 1_000,
        timeout: Math.max(1, connectTimeoutMs - (performance.now() - started)),
        maxCachedSessions: 0,
        allowH2: false,
      })
      const servername = isIP(options.hostname) ? {} : { servername: options.hostname }
      connectChecked({ ...options, ...servername }, callback)
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null)
    } finally {
      timer.abort()
    }
  }

  return (options: Connector.Options, callback: Connector.Callback) => void connect(options, callback)
}

function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, options, callback) => {
    if (options.all) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
}
