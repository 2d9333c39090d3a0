import type { FastifyRequest } from 'fastify'
import { DomainError, type ErrorCode } from '../../domain/kernel/domain-error.ts'
import { type Guess, startTry } from '../../domain/tenants/people/sign-in-limits.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-address.ts'

/** Refuses who has guessed wrong too often; a guess was wrong where it was refused with this code. */
export async function guessing<T>(
  { attempts }: Pick<Deps, 'attempts'>,
  request: FastifyRequest,
  { what, wrong }: { what: Guess; wrong: ErrorCode },
  work: () => Promise<T>,
): Promise<T> {
  const tried = await startTry(attempts, { what, address: clientAddress(request), email: null, device: null })
  try {
    const result = await work()
    tried.right()
    return result
  } catch (error) {
    if (!(error instanceof DomainError && error.code === wrong)) tried.void()
    throw error
  }
}

/** A secret that came by mail. */
export const byLink = { what: 'link', wrong: 'not_found' } as const
