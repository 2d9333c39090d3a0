/** An S3-compatible store, as STORAGE_URL and the environment name it. */
export interface S3Settings {
  bucket: string
  /** Before each name: empty, or ending in a slash. */
  prefix: string
  /** Without a slash at its end. Null: Amazon's, of the region. */
  endpoint: string | null
  region: string
  /** Whether the bucket stands in the path or in the host's name. */
  style: 'path' | 'host'
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
  /** Whether browsers are sent to the store for files, or get them from us. */
  delivery: 'serve' | 'redirect'
  /** Where browsers reach the store, if not at its endpoint. */
  deliveryEndpoint: string | null
}

type Environment = Record<string, string | undefined>

const options = ['endpoint', 'region', 'style', 'delivery', 'deliveryEndpoint']
const form = 's3://bucket/prefix?endpoint=https://…&region=…'

/** Reads an `s3:` address; what is wrong with it is named in `problems`, without what is secret. */
export function readS3Settings(url: string, env: Environment, problems: string[]): S3Settings | null {
  const before = problems.length
  const wrong = (what: string) => void problems.push(`STORAGE_URL ${what}`)
  if (!URL.canParse(url) || !new URL(url).hostname) {
    wrong(`must be ${form}`)
    return null
  }
  const { hostname: bucket, pathname, searchParams, username, password, port } = new URL(url)
  const prefix = pathname.replace(/^\/+|\/+$/g, '')
  if (username || password)
    wrong('must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead')
  if (port || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    wrong('must name a bucket of 3 to 63 lower-case letters, digits, dots and hyphens')
  if (!/^[\w./-]*$/.test(prefix) || /(^|\/)\.{0,2}(\/|$)/.test(prefix || 'x') || prefix.length > 500)
    wrong('must have a prefix of letters, digits, dots, hyphens, underscores and single slashes')
  for (const name of searchParams.keys())
    if (!options.includes(name)) wrong(`has an unknown option "${name}": there are ${options.join(', ')}`)

  const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const value = searchParams.get(name)
    if (value === null) return fallback
    if ((values as readonly string[]).includes(value)) return value as T
    wrong(`must say ${name}=${values.join(` or ${name}=`)}`)
    return fallback
  }
  const address = (name: string) => {
    const value = searchParams.get(name)
    if (!value) return null
    // Encrypted, unless somebody writes that it is not.
    const full = /^[a-z]+:\/\//i.test(value) ? value : `https://${value}`
    const parsed = URL.canParse(full) ? new URL(full) : null
    const { protocol = '', username, password, search, hash } = parsed ?? {}
    if (parsed && ['http:', 'https:'].includes(protocol) && !username && !password && !search && !hash)
      return full.replace(/\/+$/, '')
    wrong(`must have an ${name} such as https://s3.example.com`)
    return null
  }
  const endpoint = address('endpoint')
  const region = searchParams.get('region') ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1'
  if (!/^[a-z0-9-]{1,50}$/.test(region)) wrong('must have a region such as eu-central-1')
  // Amazon's certificates hold for one name before the host, and stores of one's own often know no such names.
  const usualStyle = endpoint === null && !bucket.includes('.') ? 'host' : 'path'
  const settings: S3Settings = {
    bucket,
    prefix: prefix && `${prefix}/`,
    endpoint,
    region,
    style: oneOf('style', ['path', 'host'], usualStyle),
    delivery: oneOf('delivery', ['serve', 'redirect'], 'serve'),
    deliveryEndpoint: address('deliveryEndpoint'),
    accessKeyId: env.AWS_ACCESS_KEY_ID?.trim() ?? '',
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY?.trim() ?? '',
    sessionToken: env.AWS_SESSION_TOKEN?.trim() || null,
  }
  if (settings.deliveryEndpoint && settings.delivery === 'serve')
    wrong('names a deliveryEndpoint, which is only used with delivery=redirect')
  for (const [name, value] of [
    ['AWS_ACCESS_KEY_ID', settings.accessKeyId],
    ['AWS_SECRET_ACCESS_KEY', settings.secretAccessKey],
  ])
    if (!value) problems.push(`${name} must be set for the store that STORAGE_URL names`)
  return problems.length > before ? null : settings
}
