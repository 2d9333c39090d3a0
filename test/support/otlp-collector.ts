import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentId: string
  name: string
  attributes: Record<string, string>
}

type Field = [number, bigint | Buffer]

/** The fields of a protobuf message, as they come. */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const kind = key & 7
    if (kind === 0) fields.push([key >> 3, varint()])
    else fields.push([key >> 3, take(kind === 1 ? 8 : kind === 5 ? 4 : Number(varint()))])
  }
  return fields
}

const all = (bytes: Buffer, number: number) =>
  fieldsOf(bytes).flatMap(([n, value]) => (n === number ? [value as Buffer] : []))
const one = (bytes: Buffer, number: number) => all(bytes, number)[0] ?? Buffer.alloc(0)

/** Of the first kind of value: a text, or a whole number. */
function firstValue(bytes: Buffer): string {
  const [field] = fieldsOf(bytes)
  return field === undefined ? '' : String(field[1])
}

function spansOf(body: Buffer): { spans: CollectedSpan[]; resource: Record<string, string> } {
  const attributesOf = (message: Buffer, number: number) =>
    Object.fromEntries(all(message, number).map((a) => [String(one(a, 1)), firstValue(one(a, 2))]))
  const resources = all(body, 1)
  const spans = resources
    .flatMap((resource) => all(resource, 2).flatMap((scope) => all(scope, 2)))
    .map((span) => ({
      traceId: one(span, 1).toString('hex'),
      spanId: one(span, 2).toString('hex'),
      parentId: one(span, 4).toString('hex'),
      name: String(one(span, 5)),
      attributes: attributesOf(span, 9),
    }))
  return { spans, resource: Object.assign({}, ...resources.map((r) => attributesOf(one(r, 1), 1))) }
}

/** Takes spans as a collector does: by HTTP, as protobuf. */
export async function startCollector() {
  const spans: CollectedSpan[] = []
  const calls: { path: string; headers: Record<string, unknown>; resource: Record<string, string> }[] = []
  const server = createServer(async (request, response) => {
    const { spans: sent, resource } = spansOf(await buffer(request))
    spans.push(...sent)
    calls.push({ path: request.url!, headers: request.headers, resource })
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    calls,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
