import { readFolder } from '../../domain/deals/files/read-files.ts'
import { readOwnProposal } from '../../domain/deals/proposals/read-proposal.ts'
import { notFound } from '../../domain/kernel/domain-error.ts'
import { installerOf } from '../../domain/kernel/tenant/directory.ts'
import { findLogo, findLogoHash } from '../../domain/tenants/companies/logo-queries.ts'
import type { Deps } from '../deps.ts'
import { sendFolderListing } from '../http/folder-listing.ts'
import { sendProposalPage } from '../http/proposal/proposal-page.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { FolderParams } from './project-requests.ts'
import { contextOf } from './sessions.ts'

/** Pages of a project that open in a tab of their own: a whole folder, and the proposal as the customer sees it. */
export function projectPages(app: Routes, deps: Deps): void {
  const { db, directories } = deps

  app.get('/projects/:id/folders/:folder', { schema: { params: FolderParams } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { project, folder } = await readFolder(ctx, request.params.id, request.params.folder)
    const { timezone } = installerOf(await directories.current(db, ctx.actor.installerId))
    const path = `/console/api/projects/${project.id}/files`
    const listed = {
      installerId: project.installerId,
      projectId: project.id,
      folder,
      timezone,
      paths: ({ id }: { id: string }) => ({ file: `${path}/${id}`, thumbnail: `${path}/${id}/thumbnail` }),
    }
    return sendFolderListing(request, reply, db, listed, ctx.actor)
  })

  app.get('/projects/:id/proposal', byId, async (request, reply) => {
    const { proposal, deal } = await readOwnProposal(contextOf(deps, request), request.params.id)
    const logo = await findLogoHash(db, deal.project)
    return sendProposalPage(reply, proposal, logo && `proposal/logo?v=${logo.slice(0, 12)}`)
  })

  app.get('/projects/:id/proposal/logo', byId, async (request, reply) => {
    const { deal } = await readOwnProposal(contextOf(deps, request), request.params.id)
    const logo = await findLogo(db, deal.project)
    if (!logo) throw notFound('logo')
    return reply
      .header('content-type', 'image/png')
      .header('x-content-type-options', 'nosniff')
      .send(logo.png)
  })
}
