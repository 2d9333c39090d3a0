import { addFiles } from '../domain/deals/files/add-files.ts'
import type { FileCopying } from '../domain/deals/files/copy-files.ts'
import { createLead } from '../domain/deals/leads/create-lead.ts'
import { updateLead } from '../domain/deals/leads/update-lead.ts'
import { moveStage } from '../domain/deals/projects/move-stage.ts'
import { updateProject } from '../domain/deals/projects/update-project.ts'
import { sellLead } from '../domain/deals/sale/sell-lead.ts'
import type { Actor, Context } from '../domain/kernel/context.ts'
import type { Directories } from '../domain/kernel/tenant/directories.ts'
import type { Database } from '../platform/db.ts'
import type { CreatedCompany } from './created-company.ts'
import { billMonth, registerInstallation } from './run-installations.ts'
import type { Step } from './step.ts'

export interface Running {
  db: Database
  directories: Directories
  copying: FileCopying
  companies: readonly CreatedCompany[]
  today: Date
}

/** Runs steps through the real use cases, remembering which lead and project a deal became. */
export function createStepRunner({ db, directories, copying, companies, today }: Running) {
  const leads = new Map<string, string>()
  const projects = new Map<string, string>()

  return async function runStep(step: Step): Promise<void> {
    const actor = actorOf(companies, step.company, step.by)
    const ctx: Context = { db, directories, actor, now: new Date(step.at) }
    const lead = leads.get(step.deal) ?? ''
    const project = projects.get(step.deal) ?? ''
    switch (step.do) {
      case 'create':
        leads.set(step.deal, (await createLead(ctx, step.lead)).leadId)
        return
      case 'updateLead':
        await updateLead(ctx, lead, step.patch)
        return
      case 'sell':
        projects.set(step.deal, (await sellLead(ctx, lead, saleOf(companies, actor, step))).projectId)
        return
      case 'move':
        await moveStage(ctx, project, step.stage)
        return
      case 'updateProject':
        await updateProject(ctx, project, step.patch)
        return
      case 'addFiles':
        await addFiles(ctx, copying, project, { folder: step.folder, files: step.files })
        return
      case 'registerInstallation':
        await registerInstallation(ctx, step.installation, today)
        return
      case 'bill':
        await billMonth(ctx, step.month, step.endings)
    }
  }
}

function actorOf(companies: readonly CreatedCompany[], company: number, email: string | null): Actor {
  const actor = companies[company]?.actors.get(email ?? '')
  if (!actor) throw new Error(`the demo has no member ${email}`)
  return actor
}

function saleOf(
  companies: readonly CreatedCompany[],
  { installerId }: Actor,
  step: Extract<Step, { do: 'sell' }>,
) {
  const installer = companies.findIndex(({ company }) => company.id === installerId)
  const idOf = (email: string | null) => email && actorOf(companies, installer, email).id
  return {
    ...step.sale,
    contractSignedAt: new Date(step.at),
    reference: step.reference,
    notes: step.notes,
    projectManagerId: idOf(step.projectManager),
    siteSurveyorId: idOf(step.siteSurveyor),
    subcontractorId: idOf(step.subcontractor),
  }
}
