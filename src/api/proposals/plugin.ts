import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SoldDeal } from '../../domain/changes/deal.ts'
import { findLogo, findLogoHash } from '../../domain/companies/logo-queries.ts'
import { DomainError } from '../../domain/domain-error.ts'
import { noteProposalOpened } from '../../domain/projects/note-proposal-opened.ts'
import { readProposal } from '../../domain/projects/read-proposal.ts'
import type { Parts } from '../parts.ts'
import { isLikelyCustomer } from './likely-customer.ts'
import { sendMissingPage, sendProposalPage } from './proposal-page.ts'

/** Tells who of a company's people sends a request, if any of them does. */
export interface Visitors {
  visitorOf(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ memberships: { installerId: string }[] } | null>
}

/** The page that a customer is shown: whoever has its address may read it. */
export async function proposalPages(app: FastifyInstance, parts: Parts, visitors: Visitors): Promise<void> {
  const { db, directories, log } = parts

  app.get<{ Params: { token: string } }>('/proposals/:token', async (request, reply) => {
    reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex, nofollow, noarchive')
    const found = await readProposal(db, directories, request.params.token)
    if (!found) {
      // People are told in words; programs as of any address that is not there.
      if (request.headers.accept?.includes('text/html')) return sendMissingPage(reply.code(404))
      throw new DomainError('not_found', 'There is no such address. The first page says what is served.')
    }
    if (isLikelyCustomer(request) && !(await isOurs(request, reply, found.deal))) {
      await noteProposalOpened(db, directories, new Date(), found.deal).catch((error: Error) =>
        log.warn({ requestId: request.id, name: error.name }, 'an opened proposal was not noted'),
      )
    }
    const { installerId, companyId } = found.deal.project
    const logo = await findLogoHash(db, installerId, companyId)
    return sendProposalPage(
      reply,
      found.proposal,
      logo && `${request.params.token}/logo?v=${logo.slice(0, 12)}`,
    )
  })

  /** The sign of who sold it. */
  app.get<{ Params: { token: string } }>('/proposals/:token/logo', async (request, reply) => {
    const found = await readProposal(db, directories, request.params.token)
    const logo = found && (await findLogo(db, found.deal.project.installerId, found.deal.project.companyId))
    if (!logo)
      throw new DomainError('not_found', 'There is no such address. The first page says what is served.')
    return reply
      .header('content-type', 'image/png')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'private, max-age=86400')
      .send(logo.png)
  })

  /** Whether somebody of the tenant looks at what they sold. */
  async function isOurs(
    request: FastifyRequest,
    reply: FastifyReply,
    { project }: SoldDeal,
  ): Promise<boolean> {
    const visitor = await visitors.visitorOf(request, reply).catch((error) => {
      // Signed in, but of no company any more.
      if (error instanceof DomainError) return null
      throw error
    })
    return visitor?.memberships.some(({ installerId }) => installerId === project.installerId) ?? false
  }
}
