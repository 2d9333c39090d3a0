import type { FastifyInstance } from 'fastify'
import { readProposal } from '../../domain/deals/proposals/read-proposal.ts'
import type { Deps } from '../deps.ts'
import { answerMissing, sendLogo, sendToCustomer, type Visitors } from '../http/proposal/customer-page.ts'

type ByToken = { Params: { token: string } }

/** The page that a customer is shown: whoever has its address may read it. */
export async function proposalPages(app: FastifyInstance, deps: Deps, visitors: Visitors): Promise<void> {
  const { db, directories } = deps

  app.get<ByToken>('/proposals/:token', async (request, reply) => {
    reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex, nofollow, noarchive')
    const found = await readProposal(db, directories, request.params.token)
    if (!found) return answerMissing(request, reply)
    return sendToCustomer(request, reply, deps, visitors, found)
  })

  app.get<ByToken>('/proposals/:token/logo', async (request, reply) => {
    const found = await readProposal(db, directories, request.params.token)
    return found ? sendLogo(reply, deps, found) : answerMissing(request, reply)
  })
}
