import type { LeadPatch } from '../domain/deals/leads/patch-lead.ts'
import type { NewLead } from '../domain/deals/leads/prepare-lead.ts'
import type { ProjectPatch } from '../domain/deals/projects/patch-project.ts'
import type { Folder } from '../domain/kernel/folder.ts'
import type { DemoInstallation, Ending } from './installations.ts'
import type { DemoSale } from './sale.ts'

export interface DemoFile {
  url: string
  name: string
  contents: () => Buffer
}

/** One call of a use case, at its time. People are named by email. */
export type Step = {
  /** Milliseconds since 1970. */
  at: number
  /** The deal it belongs to. */
  deal: string
  /** Where in the list of companies the actor's stands. */
  company: number
  /** The member who acts; null for the company's key. */
  by: string | null
} & Doing

export type Doing =
  | { do: 'create'; lead: NewLead }
  | { do: 'updateLead'; patch: LeadPatch }
  | {
      do: 'sell'
      sale: DemoSale
      reference: string | null
      notes: string | null
      projectManager: string
      siteSurveyor: string | null
      subcontractor: string | null
    }
  | { do: 'move'; stage: string }
  | { do: 'updateProject'; patch: ProjectPatch }
  | { do: 'addFiles'; folder: Folder; files: DemoFile[] }
  | { do: 'registerInstallation'; installation: DemoInstallation }
  | { do: 'bill'; month: string; endings: readonly Ending[] }
