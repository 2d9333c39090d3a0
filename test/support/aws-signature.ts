import { createHash, createHmac } from 'node:crypto'

interface Signed {
  method: string
  /** As it was sent. */
  url: string
  headers: Record<string, string | string[] | undefined>
}

/** Whether a call, or an address that opens something, was signed with the secret: AWS Signature Version 4 as it is written down. */
export function isSigned({ method, url, headers }: Signed, secret: string): boolean {
  const { pathname, searchParams } = new URL(url, 'http://store')
  const inQuery = searchParams.get('X-Amz-Signature')
  const said = /Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)/.exec(
    String(headers.authorization),
  )
  const [credential, names, signature] = inQuery
    ? [searchParams.get('X-Amz-Credential')!, searchParams.get('X-Amz-SignedHeaders')!, inQuery]
    : [said?.[1] ?? '', said?.[2] ?? '', said?.[3] ?? '']
  const at = inQuery ? searchParams.get('X-Amz-Date')! : String(headers['x-amz-date'])
  const [, date = '', region = '', service = ''] = credential.split('/')
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
  const canonical = [
    method,
    decodeURIComponent(pathname).split('/').map(encoded).join('/'),
    query.join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    inQuery ? 'UNSIGNED-PAYLOAD' : String(headers['x-amz-content-sha256']),
  ].join('\n')
  const text = [
    'AWS4-HMAC-SHA256',
    at,
    `${date}/${region}/${service}/aws4_request`,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
  const key = [date, region, service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`)
  return hmac(key, text).toString('hex') === signature
}

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
