import type { ImportState } from '../../src/domain/data/imports/import.ts'
import { folderLevel } from '../../src/domain/kernel/folder-policy.ts'
import { type Action, holds } from '../../src/domain/kernel/policy.ts'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import { leadBody } from './factories.ts'
import type { Person } from './people.ts'
import { pdf, png } from './sample-files.ts'

/** One person of the installer or of its dealer. */
export interface Seat extends Person {
  company: 'installer' | 'dealer'
  role: Role
}

/** What exists when a route is called, made again for each call. */
export interface Ids {
  leadId: string
  projectId: string
  /** The project's last move, or its sale, which can be undone. */
  moveId: string
  fileId: string
  linkId: string
  stageId: string
  panelId: string
  inverterId: string
  sessionId: string
  viewId: string
  memberId: string
  keyId: string
  importId: string
  webhookId: string
  deliveryId: string
  installationId: string
  alertId: string
  quarantinedId: string
  companyId: string
  dealerId: string
  mailId: string
  /** A member with an open invitation. */
  invitedId: string
  /** A member who signs in with a second factor. */
  guardedId: string
  /** What whoever calls is at another company. */
  membershipId: string
  /** An invitation to whoever calls. */
  invitationId: string
  ladderStageId: string
  adderId: string
  equipmentId: string
  invoiceId: string
  creditId: string
  billedId: string
  runId: string
  jobId: string
  /** What an agent proposed to do with a lead: to sell it. */
  proposalId: string
  /** The stages of the solar ladder, in order. */
  ladder: string[]
}

export interface ConsoleRoute {
  may: Action | 'everybody' | 'ownSale' | 'removeOthersFile'
  query?: string
  body?: unknown | ((ids: Ids, seat: Seat) => unknown)
  raw?: Buffer
  /** Whether the lead is not to be sold yet. */
  unsold?: true
  /** Whether it was sold a moment ago, by a sale that can be undone. */
  justSold?: true
  /** What an import is doing when it is called about. */
  state?: ImportState
  /** What has become of an invoice when it is called about; a draft where nothing is said. */
  invoice?: 'open'
  /** Whether the answer does not end. */
  streamed?: true
  /** Whether it is there for who is not signed in. */
  open?: true
  /** What it is about and belongs to somebody: for others it is missing. */
  id?: Exclude<keyof Ids, 'stageId' | 'panelId' | 'inverterId' | 'ladder'>
}

/** Whether somebody may call it: the policy says, but for what hangs on the record. */
export function mayCall({ may }: ConsoleRoute, { company, role }: Seat): boolean {
  if (may === 'everybody') return true
  // Who sells is the lead's own rep here.
  if (may === 'ownSale') return role === 'rep' || holds(company, role, 'leads.sell')
  if (may === 'removeOthersFile') return folderLevel(company, role, 'permit') === 'remove'
  return holds(company, role, may)
}

const system = ({ panelId, inverterId }: Ids) => ({
  panels: { id: panelId, count: 20 },
  inverters: { id: inverterId, count: 20 },
})
const today = '2026-03-02'
const planBody = {
  kind: 'lease',
  rate: '120',
  escalatorPercent: '0',
  startDate: '2026-01-01',
  currency: 'USD',
  customer: { name: 'Ada Moreno', email: null, address: null },
  paymentTermDays: 30,
}
let sent = 0
/** Of a table without rows. */
const emptyTable = 'T1PNoYwrqgwDVLtfmj7L5e'

/** Who may call what: every route of the console's API stands here. */
export const consoleRoutes: Record<string, ConsoleRoute> = {
  'GET /entrance': { may: 'everybody', open: true },
  'POST /set-up': { may: 'everybody', open: true },
  'POST /password-link': { may: 'everybody', open: true },
  'POST /invitation-link': { may: 'everybody', open: true, body: { token: 'none' } },
  'POST /invitation-link/accept': { may: 'everybody', open: true, body: { token: 'none', password: 'x' } },
  'POST /invitation-link/decline': { may: 'everybody', open: true, body: { token: 'none' } },
  'GET /invitations': { may: 'everybody' },
  'POST /invitations/:id/accept': { may: 'everybody', id: 'invitationId' },
  'POST /invitations/:id/decline': { may: 'everybody', id: 'invitationId' },

  'GET /session': { may: 'everybody' },
  'POST /session/company': { may: 'everybody', body: (_ids: Ids, { id }: Seat) => ({ memberId: id }) },
  'GET /account': { may: 'everybody' },
  'DELETE /account/sessions': { may: 'everybody' },
  'DELETE /account/sessions/:id': { may: 'everybody', id: 'sessionId' },
  'POST /account/memberships/:id/leave': { may: 'everybody', id: 'membershipId' },
  'GET /live': { may: 'everybody', streamed: true },
  'GET /home': { may: 'everybody' },
  'GET /notifications': { may: 'everybody' },
  'POST /notifications/read': { may: 'everybody', body: { all: true } },
  'GET /agent-proposals': { may: 'agents.decide' },
  'GET /agent-proposals/count': { may: 'everybody' },
  'POST /agent-proposals/:id/approve': { id: 'proposalId', may: 'ownSale', unsold: true, body: {} },
  'POST /agent-proposals/:id/decline': {
    id: 'proposalId',
    may: 'ownSale',
    unsold: true,
    body: { reason: 'Not yet' },
  },
  'GET /search': { may: 'everybody', query: '?q=ada' },
  'GET /views': { may: 'everybody', query: '?page=leads' },
  'POST /views': {
    may: 'everybody',
    body: () => ({ page: 'leads', name: `View ${++sent}`, query: 'status=new' }),
  },
  'DELETE /views/:id': { may: 'everybody', id: 'viewId' },

  'GET /board': { may: 'everybody', query: '?line=solar' },
  'GET /board/:stageId': { may: 'everybody', query: '?after=-.proj_none000000' },
  'GET /calendar': { may: 'everybody', query: '?from=2026-03-01&to=2026-03-31' },
  'GET /calendar/feed': { may: 'everybody' },
  'POST /calendar/feed': { may: 'everybody' },
  'DELETE /calendar/feed': { may: 'everybody' },

  'GET /leads': { may: 'everybody' },
  'GET /leads/sources': { may: 'everybody' },
  'POST /leads': { may: 'leads.change', body: leadBody },
  'POST /leads/bulk': { may: 'leads.changeMany', body: { ids: ['lead_none000000'], archive: true } },
  'GET /leads/:id/privacy': { id: 'leadId', may: 'privacy.export' },
  'GET /leads/:id/privacy/archive': { id: 'leadId', may: 'privacy.export', streamed: true },
  // Of a lead that was sold.
  'POST /leads/:id/erase': { id: 'leadId', may: 'privacy.eraseBuyer', body: { name: 'Ada Last' } },
  'GET /retention': { may: 'privacy.retain' },
  'PUT /retention': {
    may: 'privacy.retain',
    body: { unsoldMonths: null, mailMonths: 24, requestDays: 7, keepInvoiceNames: false },
  },
  'POST /retention/preview': {
    may: 'privacy.retain',
    body: { unsoldMonths: 1, mailMonths: null, requestDays: 3 },
  },
  'GET /leads/:id': { id: 'leadId', may: 'everybody' },
  'PATCH /leads/:id': { id: 'leadId', may: 'leads.change', body: { notes: 'Beware of the dog' } },
  'GET /leads/:id/duplicates': { id: 'leadId', may: 'everybody' },
  'GET /leads/:id/activities': { id: 'leadId', may: 'everybody' },
  'POST /leads/:id/notes': { id: 'leadId', may: 'notes.write', body: { body: 'Called' } },
  'GET /catalogue': { may: 'catalogue.read', query: '?line=solar' },
  'GET /leads/:id/sale': { id: 'leadId', may: 'ownSale' },
  'POST /leads/:id/sale/price': {
    id: 'leadId',
    may: 'ownSale',
    unsold: true,
    body: (ids: Ids) => ({ system: system(ids) }),
  },
  'POST /leads/:id/sale': {
    id: 'leadId',
    may: 'ownSale',
    unsold: true,
    body: (ids: Ids) => ({
      system: system(ids),
      price: { custom: '20000.00' },
      financing: { type: 'cash' },
      contract: { signedOn: today, price: '20000.00' },
    }),
  },
  'POST /leads/:id/sale/undo': {
    id: 'leadId',
    may: 'ownSale',
    justSold: true,
    body: ({ moveId }: Ids) => ({ moveId }),
  },

  'GET /projects/:id': { id: 'projectId', may: 'everybody' },
  'PATCH /projects/:id': { id: 'projectId', may: 'projects.change', body: { notes: 'Gate code 4410' } },
  'POST /projects/:id/stage': { id: 'projectId', may: 'projects.move', body: { stage: 'Design' } },
  'GET /projects/:id/move': { id: 'projectId', may: 'projects.move', query: '?stage=Design' },
  'POST /projects/:id/undo-move': {
    id: 'projectId',
    may: 'projects.move',
    body: ({ moveId }: Ids) => ({ moveId }),
  },
  'PUT /projects/:id/checklist': {
    id: 'projectId',
    may: 'checklists.tick',
    body: ({ stageId }: Ids) => ({ stageId, label: 'Roof photos taken', done: true }),
  },
  'POST /projects/:id/items/price': {
    id: 'projectId',
    may: 'projects.change',
    body: (ids: Ids) => ({ system: system(ids) }),
  },
  'PUT /projects/:id/items': {
    id: 'projectId',
    may: 'projects.change',
    body: (ids: Ids) => ({ system: system(ids) }),
  },
  'PUT /projects/:id/files': {
    id: 'projectId',
    may: 'everybody',
    query: '?folder=siteSurvey&name=roof.pdf',
    raw: pdf,
  },
  'GET /projects/:id/files/:fileId': { id: 'fileId', may: 'everybody' },
  'GET /projects/:id/files/:fileId/thumbnail': { id: 'fileId', may: 'everybody' },
  'DELETE /projects/:id/files/:fileId': { id: 'fileId', may: 'removeOthersFile' },

  'GET /projects/:id/folders/:folder': { id: 'projectId', may: 'everybody' },
  'GET /projects/:id/proposal': { id: 'projectId', may: 'sales.read' },
  'GET /projects/:id/proposal/logo': { id: 'projectId', may: 'sales.read' },
  'GET /projects/:id/links': { id: 'projectId', may: 'everybody' },
  'POST /projects/:id/links': {
    id: 'projectId',
    may: 'links.share',
    body: { kind: 'folder', folder: 'siteSurvey' },
  },
  'DELETE /projects/:id/links/:linkId': { id: 'linkId', may: 'links.share' },
  'POST /projects/:id/renew-links': { id: 'projectId', may: 'links.renew' },

  'GET /people': { may: 'people.manage' },
  'POST /people/invitations': {
    may: 'people.manage',
    body: () => ({ email: `new${++sent}@example.com`, name: 'New', role: 'rep' }),
  },
  'POST /people/:id/invitation': { may: 'people.manage', id: 'memberId' },
  'POST /people/:id/invitation/withdraw': { may: 'people.manage', id: 'invitedId' },

  'PATCH /people/:id': { may: 'people.manage', id: 'memberId', body: { name: 'Another Name' } },
  'POST /people/:id/deactivate': { may: 'people.manage', id: 'memberId', body: {} },
  'POST /people/:id/reactivate': { may: 'people.manage', id: 'memberId' },
  'POST /people/:id/second-factor/reset': { may: 'people.manage', id: 'guardedId' },
  'GET /people/:id/work': { may: 'work.reassign', id: 'memberId' },
  'POST /people/:id/work': {
    may: 'work.reassign',
    id: 'memberId',
    body: (_ids: Ids, { id }: Seat) => ({ to: id }),
  },
  'GET /companies/:id': { may: 'company.change', id: 'companyId' },
  'PATCH /companies/:id': { may: 'company.change', id: 'companyId', body: { timezone: 'America/Denver' } },
  'PUT /companies/:id/logo': { may: 'company.change', id: 'companyId', raw: png },
  'DELETE /companies/:id/logo': { may: 'company.change', id: 'companyId' },
  'PUT /company/second-factor': { may: 'company.requireSecondFactor', body: { required: false } },
  'POST /companies/:id/suspend': { may: 'dealers.manage', id: 'dealerId' },
  'POST /companies/:id/resume': { may: 'dealers.manage', id: 'dealerId' },
  'GET /dealers': { may: 'dealers.manage' },
  'POST /dealers': { may: 'dealers.manage', body: () => ({ name: `Dealer ${++sent}` }) },
  'GET /audit': { may: 'audit.read' },
  'GET /mails': { may: 'mails.read' },
  'GET /mails/samples': { may: 'mails.read' },
  'GET /mails/:id': { may: 'mails.read', id: 'mailId' },
  'POST /mails/:id/again': { may: 'mails.resend', id: 'mailId' },

  'GET /keys': { may: 'keys.manage' },
  'POST /keys': { may: 'keys.manage', body: { name: 'CRM' } },
  'GET /keys/:id': { may: 'keys.manage', id: 'keyId' },
  'POST /keys/:id/roll': { may: 'keys.manage', id: 'keyId', body: { graceHours: 1 } },
  'POST /keys/:id/revoke': { may: 'keys.manage', id: 'keyId' },
  'GET /requests': { may: 'requests.read' },

  'GET /webhooks': { may: 'webhooks.read' },
  'POST /webhooks': {
    may: 'webhooks.change',
    body: { url: 'https://hooks.example.com/sunstead', events: ['invoice.voided'] },
  },
  'GET /webhooks/:id': { may: 'webhooks.read', id: 'webhookId' },
  'PATCH /webhooks/:id': { may: 'webhooks.change', id: 'webhookId', body: { description: 'CRM' } },
  'DELETE /webhooks/:id': { may: 'webhooks.change', id: 'webhookId' },
  'POST /webhooks/:id/enable': { may: 'webhooks.change', id: 'webhookId' },
  'POST /webhooks/:id/disable': { may: 'webhooks.change', id: 'webhookId' },
  'POST /webhooks/:id/secret': { may: 'webhooks.change', id: 'webhookId', body: { graceHours: 1 } },
  'POST /webhooks/:id/test': { may: 'webhooks.change', id: 'webhookId' },
  'GET /webhooks/:id/deliveries': { may: 'webhooks.read', id: 'webhookId' },
  'GET /webhooks/:id/deliveries/:deliveryId': { may: 'webhooks.read', id: 'deliveryId' },
  'POST /webhooks/:id/redeliver': {
    may: 'webhooks.change',
    id: 'webhookId',
    body: { since: '2026-01-01T00:00:00Z' },
  },

  'GET /monitoring': { may: 'everybody' },
  'GET /monitoring/summary': { may: 'everybody' },
  'GET /monitoring/:id': { may: 'everybody', id: 'installationId' },
  'PATCH /monitoring/:id': { may: 'installations.change', id: 'installationId', body: { name: 'Renamed' } },
  'GET /monitoring/:id/energy': {
    may: 'everybody',
    id: 'installationId',
    query: '?from=2026-03-01&to=2026-03-07&by=daily',
  },
  'GET /monitoring/:id/panels': {
    may: 'everybody',
    id: 'installationId',
    query: '?from=2026-03-01&to=2026-03-07',
  },
  'GET /monitoring/:id/alerts': { may: 'everybody', id: 'installationId' },
  'GET /quarantine': { may: 'quarantine.read' },
  'POST /quarantine/decisions': {
    may: 'quarantine.decide',
    id: 'quarantinedId',
    body: ({ quarantinedId }: Ids) => ({ ids: [quarantinedId], decision: 'drop' }),
  },
  'POST /alerts/:id/acknowledge': { may: 'alerts.acknowledge', id: 'alertId' },
  'POST /alerts/:id/resolve': { may: 'alerts.resolve', id: 'alertId' },

  'GET /imports': { may: 'imports.run' },
  'PUT /imports': {
    may: 'imports.run',
    query: '?name=leads.csv',
    raw: Buffer.from('First name,Last name\nAda,Moreno\n'),
  },
  'GET /imports/:id': { may: 'imports.run', id: 'importId' },
  'GET /imports/:id/problems.csv': { may: 'imports.run', id: 'importId' },
  'POST /imports/:id/check': { may: 'imports.run', id: 'importId', body: { mapping: ['firstName'] } },
  'POST /imports/:id/start': { may: 'imports.run', id: 'importId', state: 'checked' },
  'POST /imports/:id/stop': { may: 'imports.run', id: 'importId', state: 'running' },
  'GET /imports/:id/undo': { may: 'imports.run', id: 'importId', state: 'done' },
  'POST /imports/:id/undo': { may: 'imports.run', id: 'importId', state: 'done' },

  'GET /billing/summary': { may: 'billing.read' },
  'GET /billing/invoices': { may: 'billing.read' },
  'GET /billing/invoices/:id': { may: 'billing.read', id: 'invoiceId' },
  'GET /billing/invoices/:id/pdf': { may: 'billing.read', id: 'invoiceId' },
  'PATCH /billing/invoices/:id': {
    may: 'billing.draft',
    id: 'invoiceId',
    body: { version: 1, dueDate: '2027-01-31' },
  },
  'POST /billing/invoices/:id/delete': { may: 'billing.draft', id: 'invoiceId', body: { version: 1 } },
  'POST /billing/invoices/:id/finalize': { may: 'billing.finalize', id: 'invoiceId', body: { version: 1 } },
  'POST /billing/invoices/:id/pay': {
    may: 'billing.pay',
    id: 'invoiceId',
    invoice: 'open',
    body: { version: 2, amount: '1.50' },
  },
  'POST /billing/invoices/:id/void': {
    may: 'billing.void',
    id: 'invoiceId',
    invoice: 'open',
    body: { version: 2 },
  },
  'GET /billing/credits': { may: 'billing.read' },
  'POST /billing/credits/:id/refund': {
    may: 'billing.refund',
    id: 'creditId',
    body: { version: 1, amount: '0.01', method: 'check', reference: null, on: '2026-01-31' },
  },
  'GET /billing/plans': { may: 'billing.read' },
  'PUT /billing/plans/:id': { may: 'billing.plan', id: 'billedId', body: planBody },
  'DELETE /billing/plans/:id': { may: 'billing.plan', id: 'billedId' },
  'POST /billing/plans/:id/release': {
    may: 'billing.run',
    id: 'billedId',
    body: { month: '2026-01', as: 'measured' },
  },
  'GET /billing/unbilled': { may: 'billing.read' },
  'GET /billing/runs': { may: 'billing.read' },
  'POST /billing/runs': { may: 'billing.run', body: { month: '2026-01' } },
  'GET /billing/runs/:id': { may: 'billing.read', id: 'runId' },
  'POST /jobs/:id/stop': { may: 'billing.run', id: 'jobId' },

  'GET /ladders': { may: 'ladders.change' },
  'PUT /ladders/order': {
    may: 'ladders.change',
    body: ({ ladder }: Ids) => ({ productLine: 'solar', before: ladder, after: ladder }),
  },
  'POST /stages': {
    may: 'ladders.change',
    body: () => ({ productLine: 'hi', name: `Stage ${++sent}`, after: null }),
  },
  'PATCH /stages/:id': { may: 'ladders.change', id: 'ladderStageId', body: { version: 1, daysAllowed: 3 } },
  'POST /stages/:id/retire': { may: 'ladders.change', id: 'ladderStageId', body: { version: 1 } },
  'POST /stages/preview': {
    may: 'ladders.change',
    body: { stage: 'Design', message: { subject: 'Hello', body: 'Dear {firstName}' } },
  },

  'GET /adders': { may: 'catalogue.change' },
  'GET /adders.csv': { may: 'catalogue.change' },
  'POST /adders': {
    may: 'catalogue.change',
    body: { name: 'Snow guard', productLine: 'solar', unit: 'each', unitPrice: '12.50' },
  },
  'PATCH /adders/:id': { may: 'catalogue.change', id: 'adderId', body: { version: 1, unitPrice: '13.00' } },
  'PUT /adders/order': { may: 'catalogue.change', body: { before: [], after: [] } },
  'POST /adders/check': { may: 'catalogue.change', body: { csv: 'Name\n' } },
  'POST /adders/import': { may: 'catalogue.change', body: { csv: 'Name\n', stamp: emptyTable } },
  'GET /equipment': { may: 'catalogue.change' },
  'GET /equipment.csv': { may: 'catalogue.change' },
  'POST /equipment': {
    may: 'catalogue.change',
    body: { kind: 'panel', manufacturer: 'Helianth', watts: '400' },
  },
  'PATCH /equipment/:id': { may: 'catalogue.change', id: 'equipmentId', body: { version: 1, model: 'New' } },
  'PUT /equipment/order': { may: 'catalogue.change', body: { before: [], after: [] } },
  'POST /equipment/check': { may: 'catalogue.change', body: { csv: 'Kind\n' } },
  'POST /equipment/import': { may: 'catalogue.change', body: { csv: 'Kind\n', stamp: emptyTable } },
}
