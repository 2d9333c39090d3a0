import type { FastifyRequest } from 'fastify'
import { clientAddress } from '../http/client-address.ts'

/** Ours alone: what a caller sends under this name is replaced. */
export const addressHeader = 'x-sunstead-address'

/** What proxies say was heard already, of those who are trusted. */
const left = /^(x-forwarded-|forwarded$|x-real-ip$)/

export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (left.test(name)) continue
    if (typeof value === 'string') headers.set(name, value)
    else for (const one of value ?? []) headers.append(name, one)
  }
  headers.set(addressHeader, clientAddress(request))
  return headers
}
