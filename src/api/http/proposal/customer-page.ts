import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SoldDeal } from '../../../domain/deals/changes/deal.ts'
import { noteProposalOpened } from '../../../domain/deals/proposals/note-proposal-opened.ts'
import type { Proposal } from '../../../domain/deals/proposals/proposal.ts'
import { DomainError } from '../../../domain/kernel/domain-error.ts'
import { findLogo, findLogoHash } from '../../../domain/tenants/companies/logo-queries.ts'
import { currentTime } from '../../../platform/clock.ts'
import type { Deps } from '../../deps.ts'
import { isLikelyCustomer } from './likely-customer.ts'
import { sendMissingPage, sendProposalPage } from './proposal-page.ts'

/** Tells who of a company's people sends a request, if any of them does. */
export interface Visitors {
  personOf(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ memberships: { installerId: string }[] } | null>
}

export interface FoundProposal {
  proposal: Proposal
  deal: SoldDeal
}

/** Answers a proposal to whoever has its address, and notes that the customer opened it. */
export async function sendToCustomer(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, directories, log }: Deps,
  visitors: Visitors,
  { proposal, deal }: FoundProposal,
): Promise<FastifyReply> {
  if (isLikelyCustomer(request) && !(await isOurs(visitors, request, reply, deal))) {
    await noteProposalOpened(db, directories, currentTime(), deal).catch((error: Error) =>
      log.warn({ requestId: request.id, name: error.name }, 'an opened proposal was not noted'),
    )
  }
  const logo = await findLogoHash(db, deal.project)
  const last = request.url.split('?')[0]!.split('/').at(-1)
  return sendProposalPage(reply, proposal, logo && `${last}/logo?v=${logo.slice(0, 12)}`)
}

/** The sign of who sold it. */
export async function sendLogo(
  reply: FastifyReply,
  { db }: Deps,
  { deal: { project } }: FoundProposal,
): Promise<FastifyReply> {
  const logo = await findLogo(db, project)
  if (!logo) throw nothingThere()
  return reply
    .header('content-type', 'image/png')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, max-age=86400')
    .send(logo.png)
}

/** People are told in words; programs as of any address that is not there. */
export function answerMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers.accept?.includes('text/html')) return sendMissingPage(reply.code(404))
  throw nothingThere()
}

function nothingThere(): DomainError {
  return new DomainError('not_found', 'There is no such address. The first page says what is served.')
}

/** Whether somebody of the tenant looks at what they sold. */
async function isOurs(
  visitors: Visitors,
  request: FastifyRequest,
  reply: FastifyReply,
  { project }: SoldDeal,
): Promise<boolean> {
  const person = await visitors.personOf(request, reply).catch((error) => {
    // Signed in, but of no company any more.
    if (error instanceof DomainError) return null
    throw error
  })
  return person?.memberships.some(({ installerId }) => installerId === project.installerId) ?? false
}
