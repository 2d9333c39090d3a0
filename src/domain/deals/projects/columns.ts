import type { Column } from '../changes/column.ts'
import type { Project } from './project.ts'

/** How a project is written: each column, its type, the field it belongs to, and its value. */
export const projectColumns: readonly Column<Project>[] = [
  ['id', 'text', 'id', (p) => p.id],
  ['lead_id', 'text', 'leadId', (p) => p.leadId],
  ['company_id', 'text', 'companyId', (p) => p.companyId],
  ['reference', 'text', 'reference', (p) => p.reference],
  ['product_line', 'text', 'productLine', (p) => p.productLine],
  ['stage_id', 'text', 'stageId', (p) => p.stageId],
  ['stage_entered_at', 'timestamptz', 'stageEnteredAt', (p) => p.stageEnteredAt?.toISOString()],
  ['sold_at', 'timestamptz', 'soldAt', (p) => p.soldAt?.toISOString()],
  ['ntp_granted', 'boolean', 'ntpGranted', (p) => p.ntpGranted],
  ['notes', 'text', 'notes', (p) => p.notes],
  ['project_manager_id', 'text', 'projectManagerId', (p) => p.projectManagerId],
  ['site_surveyor_id', 'text', 'siteSurveyorId', (p) => p.siteSurveyorId],
  ['subcontractor_id', 'text', 'subcontractorId', (p) => p.subcontractorId],
  ['contract_signed_at', 'timestamptz', 'contractSignedAt', (p) => p.contractSignedAt?.toISOString()],
  ['contract_price', 'numeric', 'contractPrice', (p) => p.contractPrice],
  ['financing', 'jsonb', 'financing', (p) => JSON.stringify(p.financing)],
  ['system', 'jsonb', 'system', (p) => p.system && JSON.stringify(p.system)],
  ['products', 'jsonb', 'products', (p) => p.products && JSON.stringify(p.products)],
  ['milestones', 'jsonb', 'milestones', (p) => JSON.stringify(p.milestones)],
  ['proposal_token', 'text', 'proposalToken', (p) => p.proposalToken],
  ['installation_id', 'text', 'installationId', (p) => p.installationId],
  ['folder_secret', 'text', 'folderSecret', (p) => p.folderSecret],
  ['links_renewed_at', 'timestamptz', 'linksRenewedAt', (p) => p.linksRenewedAt?.toISOString()],
]

/** Reads a project back from its columns; null where the join found none. */
export function projectFrom(row: Record<string, unknown>): Project | null {
  const value = <T>(column: string) => (row[column] ?? null) as T
  if (value('id') === null) return null
  const instant = (column: string) => (row[column] ? new Date(row[column] as string) : null)
  return {
    installerId: value('installer_id'),
    id: value('id'),
    leadId: value('lead_id'),
    companyId: value('company_id'),
    reference: value('reference'),
    productLine: value('product_line'),
    stageId: value('stage_id'),
    stageEnteredAt: instant('stage_entered_at'),
    soldAt: instant('sold_at'),
    updatedAt: instant('updated_at')!,
    ntpGranted: value('ntp_granted'),
    notes: value('notes'),
    projectManagerId: value('project_manager_id'),
    siteSurveyorId: value('site_surveyor_id'),
    subcontractorId: value('subcontractor_id'),
    contractSignedAt: instant('contract_signed_at'),
    contractPrice: value('contract_price'),
    financing: value('financing'),
    system: value('system'),
    products: value('products'),
    milestones: value('milestones'),
    proposalToken: value('proposal_token'),
    installationId: value('installation_id'),
    folderSecret: value('folder_secret'),
    linksRenewedAt: instant('links_renewed_at'),
  }
}
