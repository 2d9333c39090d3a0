import type { FastifyRequest } from 'fastify'

/** Ours alone: what a caller sends under this name is replaced. */
export const addressHeader = 'x-sunstead-address'

export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
    else for (const one of value ?? []) headers.append(name, one)
  }
  headers.set(addressHeader, request.ip)
  return headers
}
