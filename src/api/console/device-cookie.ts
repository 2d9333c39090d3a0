import type { FastifyReply, FastifyRequest } from 'fastify'
import { noteDevice } from '../../domain/tenants/people/devices.ts'
import { deviceDays } from '../../domain/tenants/people/sign-in-times.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'

const name = 'sunstead.device'

export function cookieOf({ headers }: FastifyRequest, cookie: string): string | null {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === cookie) return pair.slice(at + 1).trim()
  }
  return null
}

/** The secret by which a browser is known in which somebody has signed in before. */
export function deviceOf(request: FastifyRequest): string | null {
  return cookieOf(request, name)
}

/** From now on the browser is known as the person's; answers its secret, and whether it was not known before. */
export async function rememberDevice(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<{ token: string; isNew: boolean }> {
  const noted = await noteDevice(deps.db, currentTime(), userId, deviceOf(request))
  const secure = deps.addresses.baseUrl.startsWith('https:') ? '; Secure' : ''
  const maxAge = deviceDays * 86_400
  reply.header(
    'set-cookie',
    `${name}=${noted.token}; Max-Age=${maxAge}; Path=/console; HttpOnly; SameSite=Lax${secure}`,
  )
  return noted
}
