import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findProjectFile, type ServedFile } from '../../domain/deals/files/queries.ts'
import { linkHash, linkPath, linkTokenForm } from '../../domain/deals/links/link.ts'
import { findOpenLink, noteOpened, type OpenedLink } from '../../domain/deals/links/queries.ts'
import { readProposalOf } from '../../domain/deals/proposals/read-proposal.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { findInstallerNumbered } from '../../domain/kernel/tenant/queries.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import { sendFolderListing } from '../http/folder-listing.ts'
import { answerMissing, sendLogo, sendToCustomer, type Visitors } from '../http/proposal/customer-page.ts'
import { harmless, sendStoredFile } from '../http/stored-file.ts'
import { sendThumbnail } from '../http/stored-thumbnail.ts'

interface LinkParams {
  number: string
  token: string
}
type OfLink = { Params: LinkParams }
type OfFile = { Params: LinkParams & { fileId: string } }

/** What people shared from the console: whoever has an address may open it until it ends, and nothing else. */
export async function sharedPages(app: FastifyInstance, deps: Deps, visitors: Visitors): Promise<void> {
  const { db, directories, log } = deps

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'private, no-cache').header('x-robots-tag', 'noindex, nofollow, noarchive')
  })

  app.route<OfLink>({
    // HEAD is named: the one that the framework adds would say that the length is 0.
    method: ['GET', 'HEAD'],
    url: '/shared/:number/:token',
    handler: async (request, reply) => {
      const link = await open(request.params)
      if (!link) return answerMissing(request, reply)
      if (link.kind === 'file') {
        const file = await fileOf(link, link.fileId!)
        if (!file) return answerMissing(request, reply)
        await count(request, link)
        return sendStoredFile(request, harmless(reply), deps, file, null)
      }
      reply.header('cache-control', 'private, no-store')
      if (link.kind === 'folder') {
        await count(request, link)
        return sendFolder(request, reply, link)
      }
      const found = await readProposalOf(db, directories, link.installerId, link.projectId)
      if (!found) return answerMissing(request, reply)
      await count(request, link)
      return sendToCustomer(request, reply, deps, visitors, found)
    },
  })

  app.get<OfLink>('/shared/:number/:token/logo', async (request, reply) => {
    const link = await open(request.params)
    const found =
      link?.kind === 'proposal' && (await readProposalOf(db, directories, link.installerId, link.projectId))
    return found ? sendLogo(reply, deps, found) : answerMissing(request, reply)
  })

  app.route<OfFile>({
    method: ['GET', 'HEAD'],
    url: '/shared/:number/:token/files/:fileId',
    handler: async (request, reply) => {
      const file = await requireFileInFolder(request.params)
      return sendStoredFile(request, harmless(reply), deps, file, null)
    },
  })

  app.get<OfFile>('/shared/:number/:token/files/:fileId/thumbnail', async (request, reply) =>
    sendThumbnail(request, reply, deps, await requireFileInFolder(request.params), null),
  )

  /** Unknown, altered and ended addresses are told apart by nobody. */
  async function open({ number, token }: LinkParams): Promise<OpenedLink | null> {
    if (!/^\d{1,9}$/.test(number) || !linkTokenForm.test(token)) return null
    const installer = await findInstallerNumbered(db, { number: Number(number) })
    return installer && findOpenLink(db, { ...installer, tokenHash: linkHash(token), now: currentTime() })
  }

  const fileOf = (link: OpenedLink, fileId: string) =>
    findProjectFile(db, link.installerId, link.projectId, fileId)

  /** A file of the folder that is shared, also one that was added since. */
  async function requireFileInFolder({ fileId, ...params }: OfFile['Params']): Promise<ServedFile> {
    const link = await open(params)
    const file = link?.kind === 'folder' ? await fileOf(link, fileId) : null
    if (!file || file.folder !== link?.folder) throw notFound('file')
    return file
  }

  function sendFolder(request: FastifyRequest<OfLink>, reply: FastifyReply, link: OpenedLink) {
    const { number, token } = request.params
    const path = linkPath(Number(number), token)
    const { installerId, projectId, timezone } = link
    const paths = ({ id }: { id: string }) => ({
      file: `${path}/files/${id}`,
      thumbnail: `${path}/files/${id}/thumbnail`,
    })
    const listed = { installerId, projectId, folder: link.folder!, timezone, paths }
    return sendFolderListing(request, reply, db, listed, null)
  }

  /** One opening is one, however many pieces of it are asked for. */
  async function count({ method, headers, id }: FastifyRequest, link: OpenedLink): Promise<void> {
    const further = headers.range !== undefined && !headers.range.startsWith('bytes=0-')
    if (method === 'HEAD' || further || headers['if-none-match'] !== undefined) return
    await noteOpened(db, { installerId: link.installerId, id: link.id, now: currentTime() }).catch(
      (error: Error) => log.warn({ requestId: id, name: error.name }, 'an opened address was not noted'),
    )
  }
}
