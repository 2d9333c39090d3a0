import { StoreUnavailable } from '../file-store.ts'
import type { S3Client } from './client.ts'
import { type Element, readXml, textOf } from './xml.ts'

export interface Listed {
  /** Below the prefix of the store. */
  name: string
  modifiedMs: number
}

/** Every name that begins so, a thousand at a time. */
export async function* listNames(client: S3Client, prefix: string, begin: string): AsyncGenerator<Listed> {
  for (let token = ''; ; ) {
    const { text } = await client.call({
      method: 'GET',
      name: '',
      query: {
        'list-type': '2',
        prefix: prefix + begin,
        'encoding-type': 'url',
        ...(token ? { 'continuation-token': token } : {}),
      },
    })
    const root = pageOf(text, 'ListBucketResult')
    for (const entry of root.children.get('Contents') ?? []) {
      const name = nameIn(root, entry)
      if (name?.startsWith(prefix))
        yield { name: name.slice(prefix.length), modifiedMs: Date.parse(textOf(entry, 'LastModified')) }
    }
    const next = textOf(root, 'NextContinuationToken')
    if (textOf(root, 'IsTruncated') !== 'true' || !next || next === token) return
    token = next
  }
}

export interface ListedUpload {
  name: string
  uploadId: string
  begunMs: number
}

/** Uploads in parts that were begun and not completed; none where the store does not list them. */
export async function* listUploads(client: S3Client, prefix: string): AsyncGenerator<ListedUpload> {
  for (let markers: Record<string, string> = {}; ; ) {
    const { text, refusal } = await client.call({
      method: 'GET',
      name: '',
      query: { uploads: '', prefix, 'encoding-type': 'url', ...markers },
      also: [403, 405, 501],
    })
    if (refusal) return
    const root = pageOf(text, 'ListMultipartUploadsResult')
    for (const entry of root.children.get('Upload') ?? []) {
      const name = nameIn(root, entry)
      if (name?.startsWith(prefix))
        yield {
          name: name.slice(prefix.length),
          uploadId: textOf(entry, 'UploadId'),
          begunMs: Date.parse(textOf(entry, 'Initiated')),
        }
    }
    const next = {
      'key-marker': textOf(root, 'NextKeyMarker'),
      'upload-id-marker': textOf(root, 'NextUploadIdMarker'),
    }
    const isSame =
      next['key-marker'] === markers['key-marker'] && next['upload-id-marker'] === markers['upload-id-marker']
    if (textOf(root, 'IsTruncated') !== 'true' || isSame) return
    markers = next
  }
}

function pageOf(text: string, name: string): Element {
  const found = readXml(text)
  if (found?.name !== name) throw new StoreUnavailable('the store does not list what it holds')
  return found.root
}

function nameIn(root: Element, entry: Element): string | null {
  const name = textOf(entry, 'Key')
  if (textOf(root, 'EncodingType') !== 'url') return name
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return null
  }
}
