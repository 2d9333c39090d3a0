import type { Project } from './project.ts'

/** How a project is written: each column with its type, and where its value comes from. */
export const projectColumns: readonly (readonly [
  column: string,
  type: string,
  value: (project: Project) => unknown,
])[] = [
  ['id', 'text', (p) => p.id],
  ['lead_id', 'text', (p) => p.leadId],
  ['company_id', 'text', (p) => p.companyId],
  ['reference', 'text', (p) => p.reference],
  ['product_line', 'text', (p) => p.productLine],
  ['stage_id', 'text', (p) => p.stageId],
  ['stage_entered_at', 'timestamptz', (p) => p.stageEnteredAt?.toISOString()],
  ['sold_at', 'timestamptz', (p) => p.soldAt?.toISOString()],
  ['ntp_granted', 'boolean', (p) => p.ntpGranted],
  ['notes', 'text', (p) => p.notes],
  ['project_manager_id', 'text', (p) => p.projectManagerId],
  ['site_surveyor_id', 'text', (p) => p.siteSurveyorId],
  ['subcontractor_id', 'text', (p) => p.subcontractorId],
  ['contract_signed_at', 'timestamptz', (p) => p.contractSignedAt?.toISOString()],
  ['contract_price', 'numeric', (p) => p.contractPrice],
  ['financing', 'jsonb', (p) => JSON.stringify(p.financing)],
  ['system', 'jsonb', (p) => p.system && JSON.stringify(p.system)],
  ['products', 'jsonb', (p) => p.products && JSON.stringify(p.products)],
  ['milestones', 'jsonb', (p) => JSON.stringify(p.milestones)],
  ['proposal_token', 'text', (p) => p.proposalToken],
]

/** Reads a project back from a row whose columns carry `prefix`; null where the join found none. */
export function projectFrom(row: Record<string, unknown>, prefix: string): Project | null {
  const value = <T>(column: string) => (row[prefix + column] ?? null) as T
  if (value('id') === null) return null
  return {
    installerId: value('installer_id'),
    id: value('id'),
    leadId: value('lead_id'),
    companyId: value('company_id'),
    reference: value('reference'),
    productLine: value('product_line'),
    stageId: value('stage_id'),
    stageEnteredAt: value('stage_entered_at'),
    soldAt: value('sold_at'),
    updatedAt: value('updated_at'),
    ntpGranted: value('ntp_granted'),
    notes: value('notes'),
    projectManagerId: value('project_manager_id'),
    siteSurveyorId: value('site_surveyor_id'),
    subcontractorId: value('subcontractor_id'),
    contractSignedAt: value('contract_signed_at'),
    contractPrice: value('contract_price'),
    financing: value('financing'),
    system: value('system'),
    products: value('products'),
    milestones: value('milestones'),
    proposalToken: value('proposal_token'),
  }
}
