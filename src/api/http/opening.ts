import type { FastifyRequest } from 'fastify'
import { noteOpening, type Opened } from '../../domain/deals/files/note-opening.ts'
import { originOf } from '../../domain/journal/audit/security-event.ts'
import type { Actor } from '../../domain/kernel/context.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { clientAddress } from './client-address.ts'

/** Notes that a document is opened, by an actor or by whoever has its address; who asks for its size sees nothing of it. */
export async function noteRequested(
  db: Db,
  request: FastifyRequest,
  by: Actor | null,
  opened: Opened,
): Promise<void> {
  if (request.method === 'HEAD') return
  const visitor = originOf(clientAddress(request), request.headers['user-agent'])
  await noteOpening(db, currentTime(), by ? { actor: by } : { visitor }, opened)
}
