import Type, { type Static } from 'typebox'
import { maxDays, type SharedKind, type SharedLink, sharedKinds } from '../../domain/deals/links/link.ts'
import { endLink, readLinks } from '../../domain/deals/links/manage-links.ts'
import { renewLinks } from '../../domain/deals/links/renew-links.ts'
import { share, type ToShare } from '../../domain/deals/links/share.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { type Folder, folders } from '../../domain/kernel/folder.ts'
import type { Directory } from '../../domain/kernel/tenant/directory.ts'
import { cleanFileName } from '../../platform/file-name.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { Fields, IdParams, nextPage, oneOf, optional } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { contextOf } from './sessions.ts'

/** An address that somebody shared. The address itself is shown when it is made, and never again. */
export interface LinkResponse {
  id: string
  kind: SharedKind
  folder: Folder | null
  /** Null where it is no file's, or the file is gone. */
  fileName: string | null
  by: string
  createdAt: string
  expiresAt: string
  endedAt: string | null
  endedBy: string | null
  works: boolean
  opened: number
  lastOpenedAt: string | null
}

export interface LinksResponse {
  links: LinkResponse[]
  /** For `after`; null at the end. */
  next: string | null
}

/** The address, this one time: only a hash of it is kept. */
export interface NewLinkResponse {
  id: string
  address: string
  expiresAt: string
}

const LinkParams = Type.Object({ id: Type.String(), linkId: Type.String() })
const LinksQuery = Fields({
  after: nextPage('^link_[0-9a-z]{10,40}$'),
})
const ShareBody = Fields({
  kind: oneOf<SharedKind>(sharedKinds),
  folder: optional(oneOf<Folder>(folders)),
  fileId: optional(Type.String({ minLength: 1, maxLength: 64 })),
  days: optional(Type.Integer({ minimum: 1, maximum: maxDays })),
})
type ShareBody = Static<typeof ShareBody>

const pageSize = 50

/** What was shared of a project, and the addresses that the APIs give of it. */
export function linkRoutes(app: Routes, deps: Deps): void {
  app.get(
    '/projects/:id/links',
    { schema: { params: IdParams, querystring: LinksQuery } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const found = await readLinks(ctx, request.params.id, request.query.after ?? null, pageSize + 1)
      const directory = await deps.directories.current(deps.db, ctx.actor.installerId)
      const links = found.slice(0, pageSize).map((link) => linkResponse(link, directory, ctx.now))
      const answer: LinksResponse = { links, next: found.length > pageSize ? links.at(-1)!.id : null }
      return sendJson(reply, JSON.stringify(answer))
    },
  )

  app.post(
    '/projects/:id/links',
    { schema: { params: IdParams, body: ShareBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const made = await share(ctx, request.params.id, wantedOf(request.body), request.body.days)
      const response: NewLinkResponse = {
        id: made.id,
        address: deps.addresses.baseUrl + made.path,
        expiresAt: made.expiresAt.toISOString(),
      }
      return sendJson(reply.code(201), JSON.stringify(response))
    },
  )

  app.delete('/projects/:id/links/:linkId', { schema: { params: LinkParams } }, async (request, reply) => {
    await endLink(contextOf(deps, request), request.params.id, request.params.linkId)
    return sendJson(reply, '{}')
  })

  app.post('/projects/:id/renew-links', byId, async (request, reply) => {
    await renewLinks(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })
}

function wantedOf({ kind, folder, fileId }: ShareBody): ToShare {
  if (kind === 'proposal') return { kind }
  if (kind === 'folder' && folder) return { kind, folder }
  if (kind === 'file' && fileId) return { kind, fileId }
  throw new DomainError('invalid', kind === 'file' ? 'fileId is required.' : 'folder is required.')
}

function linkResponse(link: SharedLink, { members }: Directory, now: Date): LinkResponse {
  const { id, kind, folder, fileName, opened } = link
  return {
    ...{ id, kind, folder, opened },
    fileName: fileName && cleanFileName(fileName),
    by: members.get(link.createdBy)?.name ?? '',
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    endedAt: link.endedAt?.toISOString() ?? null,
    endedBy: (link.endedBy && members.get(link.endedBy)?.name) || null,
    works: link.endedAt === null && link.expiresAt > now && (kind !== 'file' || fileName !== null),
    lastOpenedAt: link.lastOpenedAt?.toISOString() ?? null,
  }
}
