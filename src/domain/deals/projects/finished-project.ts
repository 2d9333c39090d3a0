import { Big } from 'big.js'
import { newId } from '../../../platform/ids.ts'
import type { NewEvent } from '../../journal/events/deal-event.ts'
import { type Directory, installerOf } from '../../kernel/tenant/directory.ts'
import { type Installation, installationRecord } from '../../sites/installations/installation.ts'
import { type Panel, panelRecord } from '../../sites/installations/panel.ts'
import { timezoneOf } from '../../sites/installations/region.ts'
import type { SoldDeal } from '../changes/deal.ts'
import { installationDetails } from './follow-project.ts'

/** The installation that a solar project becomes once it is built, with its panels and what is told of them. */
export interface Finished {
  installation: Installation
  panels: Panel[]
  events: NewEvent[]
}

/** More is a slip of the pen, and more than one statement should write: such a project gets no panels. */
const maxPanels = 10_000

export function finishProject({ lead, project }: SoldDeal, directory: Directory, now: Date): Finished | null {
  const { system, installerId, companyId } = project
  if (!system || project.installationId) return null
  const details = installationDetails(lead)
  const sold = system.panels.count ?? 0
  const count = sold > maxPanels ? 0 : sold
  const sizeKw = new Big(system.sizeKw ?? 0)
  const each = count === 0 ? '0' : sizeKw.div(count).toFixed(4)
  const installation: Installation = {
    installerId,
    id: newId('inst'),
    companyId,
    projectId: project.id,
    ...details,
    timezone:
      timezoneOf(details.region) ?? (directory.companies.get(companyId) ?? installerOf(directory)).timezone,
    capacityKw: system.sizeKw === null ? null : sizeKw.toFixed(4),
    panelCount: count,
    panelsKw: new Big(each).times(count).toFixed(4),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  const panels = Array.from(
    { length: count },
    (_, i): Panel => ({
      installerId,
      id: newId('pnl'),
      companyId,
      installationId: installation.id,
      name: `Panel ${i + 1}`,
      capacityKw: each,
      status: 'active',
      metadata: {},
      version: 1,
      createdAt: now,
      updatedAt: now,
    }),
  )
  return {
    installation,
    panels,
    events: [
      {
        type: 'installation.created',
        subjectId: installation.id,
        data: { ...installationRecord(installation), version: 1 },
      },
      ...panels.map(
        (panel): NewEvent => ({
          type: 'panel.created',
          subjectId: panel.id,
          data: { ...panelRecord(panel, 0), version: 1 },
        }),
      ),
    ],
  }
}
