import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import { leastConnections, type ProcessRole, usualConnections } from './platform/database-limits.ts'
import { readS3Settings, type S3Settings } from './platform/file-store/s3/settings.ts'
import { readTracingOptions, type TracingOptions } from './platform/tracing/options.ts'

export interface Config {
  host: string
  port: number
  /** Public addresses; empty until the server knows its port when PORT=0. */
  baseUrl: string | null
  legacyBaseUrl: string | null
  catalogBaseUrl: string | null
  dataDir: string
  databaseUrl: string | null
  /** Past a pooler, for what needs a session of its own; null: the same as databaseUrl. */
  databaseDirectUrl: string | null
  /** A standby from which lists and reports are read. */
  databaseReplicaUrl: string | null
  /** How many connections to the database each process may hold. */
  databaseConnections: number
  /** How many processes serve; 1: this one. */
  webConcurrency: number
  /** Whether a process serves, does what is done once for all, or both. */
  role: ProcessRole
  storageUrl: string
  /** What STORAGE_URL and the environment say of an S3-compatible store; null where it names a folder. */
  s3: S3Settings | null
  smtpUrl: string | null
  mailFrom: string
  /** null: decided by whether the embedded database is empty. */
  demo: boolean | null
  rateLimitPerMinute: number
  outboundTrustedHosts: ReadonlySet<string>
  /** The waits between attempts to deliver a webhook. */
  webhookRetrySeconds: readonly number[]
  /** Addresses and networks whose X-Forwarded-* headers are believed. */
  trustedProxies: readonly string[]
  /** The first encrypts what must stay readable in the database, all of them open it; null: a file in DATA_DIR has them. */
  secretKeys: readonly string[] | null
  /** A Redis or Valkey that shares limits between hosts. */
  redisUrl: string | null
  /** Whether what is set speaks of several hosts, which then share a key. */
  severalHosts: boolean
  /** Opens /metrics to others than loopback. */
  metricsToken: string | null
  /** Null where traces are not asked for. */
  tracing: TracingOptions | null
  /** How long /readyz says no before the listener closes. */
  drainSeconds: number
  logLevel: string
}

// Nine waits, some three days together.
const webhookRetrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
const maxRetrySeconds = 604_800
const minSecretLength = 32
const minTokenLength = 16
const maxDrainSeconds = 3_600
const maxProcesses = 256
const maxConnections = 10_000
const roles: readonly string[] = ['all', 'web', 'worker']

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** What stands in the samples of ops/ where a secret belongs, and where it might be left: everybody knows it. */
const placeholder = 'change-me'
const secretNames = [
  'SECRET_KEY',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'SMTP_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
]

/** Reads the environment once; every mistake is named in one error. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = []
  const text = (name: string) => env[name]?.trim() || null
  const whole = (name: string, fallback: number, max: number, min = 0, orElse = '') => {
    const value = text(name)
    if (value === null) return fallback
    if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
    problems.push(`${name} must be a whole number from ${min} to ${max}${orElse}, not "${value}"`)
    return fallback
  }
  const url = (name: string, protocols: string[]) => {
    const value = text(name)
    if (value === null) return null
    if (!isDecodable(value)) {
      problems.push(`${name} has a % that is not followed by two digits: write %25 for it`)
      return null
    }
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '')
    problems.push(`${name} must be an address beginning with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    return null
  }

  const waits = (name: string, fallback: readonly number[]) => {
    const value = text(name)
    if (value === null) return fallback
    const seconds = value.split(',').map((part) => part.trim())
    const good = seconds.every((part) => /^\d+(\.\d+)?$/.test(part) && Number(part) <= maxRetrySeconds)
    if (good && seconds.length <= 100) return seconds.map(Number)
    problems.push(
      `${name} must be a comma list of at most 100 waits from 0 to ${maxRetrySeconds} seconds, such as 5,300,1800, not "${value}"`,
    )
    return fallback
  }

  const networks = (name: string) => {
    const entries = (text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
    for (const entry of entries) {
      if (!ipaddr.isValid(entry) && !ipaddr.isValidCIDR(entry))
        problems.push(
          `${name} must be a comma list of addresses or networks, such as 10.0.0.0/8, not "${entry}"`,
        )
    }
    return entries
  }
  const secrets = (name: string, minLength: number) => {
    const parts =
      text(name)
        ?.split(',')
        .map((part) => part.trim()) ?? null
    // The values are not shown: they are secret, and this text is printed.
    if (parts?.some((part) => part.length < minLength))
      problems.push(
        `${name} must have at least ${minLength} characters: make one with "openssl rand -base64 ${minLength}"`,
      )
    return parts
  }

  const host = text('HOST') ?? '127.0.0.1'
  const dataDir = resolve(text('DATA_DIR') ?? 'data')
  const demo = text('DEMO')
  if (demo !== null && !['0', '1'].includes(demo)) problems.push(`DEMO must be 0 or 1, not "${demo}"`)
  const logLevel = text('LOG_LEVEL') ?? 'info'
  if (!logLevels.includes(logLevel)) problems.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}`)
  const storageUrl = text('STORAGE_URL') ?? `file:${dataDir}/files`
  const s3 = storageUrl.startsWith('s3:') ? readS3Settings(storageUrl, env, problems) : null
  if (!/^(file|s3):/.test(storageUrl)) problems.push('STORAGE_URL must begin with file: or s3:')
  if (storageUrl.startsWith('file:') && !isFolder(storageUrl))
    problems.push('STORAGE_URL must name a folder of this host, such as file:/var/lib/sunstead/files')
  const redisUrl = url('REDIS_URL', ['redis:', 'rediss:'])
  const { hostname, search, hash, pathname } = new URL(redisUrl ?? 'redis://none')
  // The value is not shown: it may hold a password.
  if (!hostname || search || hash || !/^(\/\d{0,4})?$/.test(pathname))
    problems.push('REDIS_URL must be redis://user:password@host:port/number, or rediss:// for TLS')
  const concurrency = text('WEB_CONCURRENCY')
  const webConcurrency =
    concurrency === 'auto' ? availableParallelism() : whole('WEB_CONCURRENCY', 1, maxProcesses, 1, ' or auto')
  const role = text('ROLE') ?? 'all'
  if (!roles.includes(role)) problems.push(`ROLE must be one of ${roles.join(', ')}, not "${role}"`)
  const trusted = (text('OUTBOUND_TRUSTED_HOSTS') ?? '').split(',').map((host) => host.trim().toLowerCase())
  const config: Config = {
    host,
    port: whole('PORT', 8080, 65535),
    baseUrl: url('BASE_URL', ['http:', 'https:']),
    legacyBaseUrl: url('LEGACY_BASE_URL', ['http:', 'https:']),
    catalogBaseUrl: url('CATALOG_BASE_URL', ['http:', 'https:']),
    dataDir,
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseDirectUrl: url('DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']),
    databaseReplicaUrl: url('DATABASE_REPLICA_URL', ['postgres:', 'postgresql:']),
    databaseConnections: whole('DATABASE_CONNECTIONS', usualConnections, maxConnections, leastConnections),
    webConcurrency,
    role: role as ProcessRole,
    storageUrl,
    s3,
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: text('MAIL_FROM') ?? 'Sunstead <sunstead@localhost>',
    demo: demo === null ? null : demo === '1',
    rateLimitPerMinute: whole('RATE_LIMIT_PER_MINUTE', 100, 1_000_000),
    outboundTrustedHosts: new Set(trusted.filter(Boolean)),
    webhookRetrySeconds: waits('WEBHOOK_RETRY_SECONDS', webhookRetrySeconds),
    trustedProxies: networks('TRUSTED_PROXIES'),
    secretKeys: secrets('SECRET_KEY', minSecretLength),
    severalHosts: s3 !== null || redisUrl !== null,
    redisUrl,
    metricsToken: secrets('METRICS_TOKEN', minTokenLength)?.join() ?? null,
    tracing: readTracingOptions(env, problems),
    drainSeconds: whole('DRAIN_SECONDS', isLoopback(host) ? 0 : 5, maxDrainSeconds),
    logLevel,
  }
  if (/\s/.test(config.metricsToken ?? '')) problems.push('METRICS_TOKEN must not hold spaces')
  for (const name of secretNames)
    if (env[name]?.includes(placeholder))
      problems.push(`${name} still holds "${placeholder}", as the samples do: put a secret of your own there`)
  if (config.databaseDirectUrl && !config.databaseUrl)
    problems.push('DATABASE_DIRECT_URL goes with DATABASE_URL: set both, or neither')
  if (config.databaseReplicaUrl && !config.databaseUrl)
    problems.push('DATABASE_REPLICA_URL goes with DATABASE_URL: the embedded PostgreSQL has no replica')
  if (problems.length > 0) {
    throw new Error(`The configuration cannot be used:\n${problems.map((p) => `  - ${p}`).join('\n')}`)
  }
  return config
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** "file:./data/files" is a path as it is written; with two slashes it is an address. */
function isFolder(url: string): boolean {
  if (!url.startsWith('file://')) return url.slice('file:'.length).trim() !== ''
  try {
    return fileURLToPath(url) !== ''
  } catch {
    return false
  }
}

export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}

/** What an operator should know who serves others than this machine without encryption; null where all is well. */
export function exposureWarning({ host, baseUrl }: Config): string | null {
  if (isLoopback(host) || baseUrl?.startsWith('https:')) return null
  return (
    `HOST=${host} lets other machines in, and BASE_URL is no https address: passwords, keys and documents would pass ` +
    'the network unencrypted. Put a proxy with a certificate in front and set BASE_URL and TRUSTED_PROXIES, or set ' +
    'HOST=127.0.0.1.'
  )
}

export interface Addresses {
  baseUrl: string
  legacyBaseUrl: string
  catalogBaseUrl: string
}

/** The public addresses once the port is known. */
export function addressesOf(config: Config, port: number): Addresses {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const baseUrl = config.baseUrl ?? `http://${host}:${port}`
  return {
    baseUrl,
    legacyBaseUrl: config.legacyBaseUrl ?? `${baseUrl}/legacy`,
    catalogBaseUrl: config.catalogBaseUrl ?? `${baseUrl}/catalog`,
  }
}

/** Where it is written down which leads were erased, outside the database: a restored backup is older than it. */
export function erasedListOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'erased-leads.ndjson')
}
