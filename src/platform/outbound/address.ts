import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { OutboundRefused } from './refused.ts'

const maxCharacters = 2_048

/** Names that only mean something inside a network, or that no public resolver answers for. */
const privateSuffixes = [
  'local',
  'localhost',
  'localdomain',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'onion',
  'arpa',
]

/**
 * Checks the form of an address without resolving anything, and returns it normalised (no trailing dot).
 * `trustedHosts` holds `host:port`; for these the rules public name, public address and https do not apply.
 */
export function checkAddress(text: string, trustedHosts: ReadonlySet<string>): URL {
  if (text.length > maxCharacters) throw new OutboundRefused(`must have at most ${maxCharacters} characters`)
  if (/[\x00-\x1f\x7f]/.test(text)) throw new OutboundRefused('must not hold control characters')
  const url = URL.parse(text)
  if (!url || !/^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i.test(text)) {
    throw new OutboundRefused('must be a complete address such as https://files.example.com/plan.pdf')
  }
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:') throw new OutboundRefused('must begin with https://')
  // The parser drops an empty user name ("https://@host/"), so the text is asked too.
  if (url.username || url.password || /^[^/]*\/\/[^/\\?#]*@/.test(text)) {
    throw new OutboundRefused('must not hold a user name or password')
  }
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (!url.hostname) throw new OutboundRefused('must name a host')
  if (isTrusted(url, trustedHosts)) return url
  if (!secure) throw new OutboundRefused('must begin with https://')
  checkName(url.hostname)
  return url
}

/** Whether the operator exempted this host and port; an entry without port stands for the default ports. */
export function isTrusted(url: URL, trustedHosts: ReadonlySet<string>): boolean {
  const port = url.port || (url.protocol === 'http:' ? '80' : '443')
  return trustedHosts.has(`${url.hostname}:${port}`) || (!url.port && trustedHosts.has(url.hostname))
}

function checkName(hostname: string): void {
  // The URL parser has already turned decimal, octal, hex and short forms into four decimal numbers.
  if (hostname.startsWith('[') || isIP(hostname)) {
    throw new OutboundRefused('must not hold an IP address; use a public host name')
  }
  const labels = hostname.split('.')
  if (labels.length < 2) throw new OutboundRefused('must use a public host name, not a single word')
  if (hostname.length > 253 || labels.some((label) => !label || label.length > 63)) {
    throw new OutboundRefused('must use a valid host name')
  }
  if (privateSuffixes.includes(labels.at(-1)!)) {
    throw new OutboundRefused(`must use a public host name; names ending in .${labels.at(-1)} are private`)
  }
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Only plain unicast passes. IPv6 must also lie in 2000::/3, the only space ever assigned: the library calls
 * everything that it does not know unicast, such as the IPv4-compatible ::127.0.0.1.
 */
export function isPublicAddress(ip: string): boolean {
  if (!isIP(ip) || ip.includes('%')) return false
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(globalUnicast)
}
