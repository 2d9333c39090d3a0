import { type Body, formBody, isLines, isUpload, jsonBody, linesBody } from './body.ts'
import { apiCall, type CallOptions } from './call.ts'
import type { Operation } from './operation.ts'
import { listCall, type Query } from './pages.ts'
import type { Transport } from './transport.ts'

type Method = (...args: unknown[]) => unknown

/** The methods that a table describes: the parts of the address first, then the query or the body, then options. */
export function createMethods(
  operations: readonly Operation[],
  baseUrl: string,
  transport: Transport,
): object {
  const methods: Record<string, Method> = {}
  const groups: Record<string, Record<string, Method>> = {}
  for (const operation of operations) {
    const [group, name] = operation.name.split('.') as [string, string | undefined]
    const method = methodOf(operation, baseUrl, transport)
    if (name === undefined) methods[group] = method
    else groups[group] = { ...groups[group], [name]: method }
  }
  return { ...methods, ...groups }
}

function methodOf(operation: Operation, baseUrl: string, transport: Transport): Method {
  const { path, takes, pages } = operation
  const places = [...path.matchAll(/\{\w+\}/g)].map(([place]) => place)
  return (...args) => {
    const url = places.reduce((url, place, i) => url.replace(place, segment(place, args[i])), baseUrl + path)
    const input = takes === null ? undefined : args[places.length]
    const options = (args[places.length + (takes === null ? 0 : 1)] ?? {}) as CallOptions
    if (takes !== 'query' && !pages)
      return apiCall(transport({ operation, url, body: bodyOf(takes, input), options }))
    const read = (query: Query) =>
      transport<never>({ operation, url: url + queryOf(query), body: null, options })
    const query = (input ?? {}) as Query
    return pages ? listCall(pages, query, read) : apiCall(read(query))
  }
}

/** An empty part, or one of dots, would make another address of it. */
function segment(place: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..')
    return encodeURIComponent(value)
  throw new TypeError(`${place.slice(1, -1)} must be an id, and is ${JSON.stringify(value)}`)
}

function queryOf(query: Query): string {
  const fields = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [[name, value instanceof Date ? value.toISOString() : String(value)]],
  )
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields)}`
}

function bodyOf(takes: Operation['takes'], value: unknown): Body | null {
  if (takes === null || value === undefined) return null
  if (takes === 'files' && isUpload(value as object)) return formBody(value as never)
  if (takes === 'lines' && isLines(value as object)) return linesBody(value as never)
  return jsonBody(value)
}
