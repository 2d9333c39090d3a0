import type { S3Settings } from './settings.ts'

/** The address of a name in the bucket, or, with an empty one, of the bucket. */
export function addressOf(settings: S3Settings, name: string, query: Record<string, string>): URL {
  return at(settings.endpoint ?? amazon(settings.region), settings, name, query)
}

/** The same as browsers reach it. */
export function publicAddressOf(settings: S3Settings, name: string, query: Record<string, string>): URL {
  const endpoint = settings.deliveryEndpoint ?? settings.endpoint ?? amazon(settings.region)
  return at(endpoint, settings, name, query)
}

function at(
  endpoint: string,
  { bucket, style }: S3Settings,
  name: string,
  query: Record<string, string>,
): URL {
  const url = new URL(endpoint)
  const base = url.pathname.replace(/\/+$/, '')
  if (style === 'host') url.hostname = `${bucket}.${url.hostname}`
  url.pathname = style === 'host' ? `${base}/${name}` : `${base}/${bucket}${name && `/${name}`}`
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  // Signed so; the other form, with a plus, is read differently by some.
  url.search = url.search.replaceAll('+', '%20')
  return url
}

function amazon(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}
