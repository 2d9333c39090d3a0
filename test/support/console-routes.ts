import type { ImportState } from '../../src/domain/imports/import.ts'
import type { Role } from '../../src/domain/members/member.ts'
import { leadBody } from './factories.ts'
import type { Person } from './people.ts'
import { pdf, png } from './sample-files.ts'

/** One person of the installer or of its dealer. */
export interface Seat extends Person {
  company: 'installer' | 'dealer'
  role: Role
}

/** What exists when a route is called, made anew for each call. */
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
  /** The stages of the solar ladder, in order. */
  ladder: string[]
}

export interface ConsoleRoute {
  may: (seat: Seat) => boolean
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

const everybody = () => true
const among =
  (...roles: Role[]) =>
  ({ role }: Seat) =>
    roles.includes(role)
const admins = among('owner', 'admin')
const runners = among('owner', 'admin', 'manager')
const sellers = among('owner', 'admin', 'manager', 'rep')
const leadEditors = among('owner', 'admin', 'manager', 'rep', 'setter')
const installers =
  (may: (seat: Seat) => boolean) =>
  (seat: Seat): boolean =>
    seat.company === 'installer' && may(seat)

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
  'GET /entrance': { may: everybody, open: true },
  'POST /set-up': { may: everybody, open: true },
  'POST /password-link': { may: everybody, open: true },
  'POST /invitation-link': { may: everybody, open: true, body: { token: 'none' } },
  'POST /invitation-link/accept': { may: everybody, open: true, body: { token: 'none', password: 'x' } },
  'POST /invitation-link/decline': { may: everybody, open: true, body: { token: 'none' } },
  'GET /invitations': { may: everybody },
  'POST /invitations/:id/accept': { may: everybody, id: 'invitationId' },
  'POST /invitations/:id/decline': { may: everybody, id: 'invitationId' },

  'GET /session': { may: everybody },
  'POST /session/company': { may: everybody, body: (_ids: Ids, { id }: Seat) => ({ memberId: id }) },
  'GET /account': { may: everybody },
  'DELETE /account/sessions': { may: everybody },
  'DELETE /account/sessions/:id': { may: everybody, id: 'sessionId' },
  'POST /account/memberships/:id/leave': { may: everybody, id: 'membershipId' },
  'GET /live': { may: everybody, streamed: true },
  'GET /home': { may: everybody },
  'GET /notifications': { may: everybody },
  'POST /notifications/read': { may: everybody, body: { all: true } },
  'GET /search': { may: everybody, query: '?q=ada' },
  'GET /views': { may: everybody, query: '?page=leads' },
  'POST /views': {
    may: everybody,
    body: () => ({ page: 'leads', name: `View ${++sent}`, query: 'status=new' }),
  },
  'DELETE /views/:id': { may: everybody, id: 'viewId' },

  'GET /board': { may: everybody, query: '?line=solar' },
  'GET /board/:stageId': { may: everybody, query: '?after=-.proj_none000000' },
  'GET /calendar': { may: everybody, query: '?from=2026-03-01&to=2026-03-31' },
  'GET /calendar/feed': { may: everybody },
  'POST /calendar/feed': { may: everybody },
  'DELETE /calendar/feed': { may: everybody },

  'GET /leads': { may: everybody },
  'GET /leads/sources': { may: everybody },
  'POST /leads': { may: leadEditors, body: leadBody },
  'POST /leads/bulk': { may: runners, body: { ids: ['lead_none000000'], archive: true } },
  'GET /leads/:id/privacy': { id: 'leadId', may: admins },
  'GET /leads/:id/privacy/archive': { id: 'leadId', may: admins, streamed: true },
  // Of a lead that was sold.
  'POST /leads/:id/erase': { id: 'leadId', may: installers(admins), body: { name: 'Ada Last' } },
  'GET /retention': { may: admins },
  'PUT /retention': {
    may: admins,
    body: { unsoldMonths: null, mailMonths: 24, requestDays: 7, keepInvoiceNames: false },
  },
  'POST /retention/preview': { may: admins, body: { unsoldMonths: 1, mailMonths: null, requestDays: 3 } },
  'GET /leads/:id': { id: 'leadId', may: everybody },
  'PATCH /leads/:id': { id: 'leadId', may: leadEditors, body: { notes: 'Beware of the dog' } },
  'GET /leads/:id/duplicates': { id: 'leadId', may: everybody },
  'GET /leads/:id/activities': { id: 'leadId', may: everybody },
  'POST /leads/:id/notes': { id: 'leadId', may: everybody, body: { body: 'Called' } },
  'GET /catalogue': { may: among('owner', 'admin', 'manager', 'rep', 'setter'), query: '?line=solar' },
  'GET /leads/:id/sale': { id: 'leadId', may: sellers },
  'POST /leads/:id/sale/price': {
    id: 'leadId',
    may: sellers,
    unsold: true,
    body: (ids: Ids) => ({ system: system(ids) }),
  },
  'POST /leads/:id/sale': {
    id: 'leadId',
    may: sellers,
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
    may: sellers,
    justSold: true,
    body: ({ moveId }: Ids) => ({ moveId }),
  },

  'GET /projects/:id': { id: 'projectId', may: everybody },
  'PATCH /projects/:id': { id: 'projectId', may: installers(runners), body: { notes: 'Gate code 4410' } },
  'POST /projects/:id/stage': { id: 'projectId', may: installers(runners), body: { stage: 'Design' } },
  'GET /projects/:id/move': { id: 'projectId', may: installers(runners), query: '?stage=Design' },
  'POST /projects/:id/undo-move': {
    id: 'projectId',
    may: installers(runners),
    body: ({ moveId }: Ids) => ({ moveId }),
  },
  'PUT /projects/:id/checklist': {
    id: 'projectId',
    may: everybody,
    body: ({ stageId }: Ids) => ({ stageId, label: 'Roof photos taken', done: true }),
  },
  'POST /projects/:id/goods/price': {
    id: 'projectId',
    may: installers(runners),
    body: (ids: Ids) => ({ system: system(ids) }),
  },
  'PUT /projects/:id/goods': {
    id: 'projectId',
    may: installers(runners),
    body: (ids: Ids) => ({ system: system(ids) }),
  },
  'PUT /projects/:id/files': {
    id: 'projectId',
    may: everybody,
    query: '?folder=siteSurvey&name=roof.pdf',
    raw: pdf,
  },
  'GET /projects/:id/files/:fileId': { id: 'fileId', may: everybody },
  'GET /projects/:id/files/:fileId/thumbnail': { id: 'fileId', may: everybody },
  'DELETE /projects/:id/files/:fileId': { id: 'fileId', may: installers(runners) },

  'GET /projects/:id/folders/:folder': { id: 'projectId', may: everybody },
  'GET /projects/:id/proposal': { id: 'projectId', may: leadEditors },
  'GET /projects/:id/proposal/logo': { id: 'projectId', may: leadEditors },
  'GET /projects/:id/links': { id: 'projectId', may: everybody },
  'POST /projects/:id/links': {
    id: 'projectId',
    may: everybody,
    body: { kind: 'folder', folder: 'siteSurvey' },
  },
  'DELETE /projects/:id/links/:linkId': { id: 'linkId', may: everybody },
  'POST /projects/:id/renew-links': { id: 'projectId', may: installers(runners) },

  'GET /people': { may: admins },
  'POST /people/invitations': {
    may: admins,
    body: () => ({ email: `new${++sent}@example.com`, name: 'New', role: 'rep' }),
  },
  'POST /people/:id/invitation': { may: admins, id: 'memberId' },
  'POST /people/:id/invitation/withdraw': { may: admins, id: 'invitedId' },

  'PATCH /people/:id': { may: admins, id: 'memberId', body: { name: 'Another Name' } },
  'POST /people/:id/deactivate': { may: admins, id: 'memberId', body: {} },
  'POST /people/:id/reactivate': { may: admins, id: 'memberId' },
  'POST /people/:id/second-factor/reset': { may: admins, id: 'guardedId' },
  'GET /people/:id/work': { may: admins, id: 'memberId' },
  'POST /people/:id/work': { may: admins, id: 'memberId', body: (_ids: Ids, { id }: Seat) => ({ to: id }) },
  'GET /companies/:id': { may: admins, id: 'companyId' },
  'PATCH /companies/:id': { may: admins, id: 'companyId', body: { timezone: 'America/Denver' } },
  'PUT /companies/:id/logo': { may: admins, id: 'companyId', raw: png },
  'DELETE /companies/:id/logo': { may: admins, id: 'companyId' },
  'PUT /company/second-factor': { may: among('owner'), body: { required: false } },
  'POST /companies/:id/suspend': { may: installers(admins), id: 'dealerId' },
  'POST /companies/:id/resume': { may: installers(admins), id: 'dealerId' },
  'GET /dealers': { may: installers(admins) },
  'POST /dealers': { may: installers(admins), body: () => ({ name: `Dealer ${++sent}` }) },
  'GET /audit': { may: admins },
  'GET /mails': { may: admins },
  'GET /mails/samples': { may: admins },
  'GET /mails/:id': { may: admins, id: 'mailId' },
  'POST /mails/:id/again': { may: admins, id: 'mailId' },

  'GET /keys': { may: admins },
  'POST /keys': { may: admins, body: { name: 'CRM' } },
  'GET /keys/:id': { may: admins, id: 'keyId' },
  'POST /keys/:id/roll': { may: admins, id: 'keyId', body: { graceHours: 1 } },
  'POST /keys/:id/revoke': { may: admins, id: 'keyId' },
  'GET /requests': { may: admins },

  'GET /webhooks': { may: admins },
  'POST /webhooks': {
    may: admins,
    body: { url: 'https://hooks.example.com/sunstead', events: ['invoice.voided'] },
  },
  'GET /webhooks/:id': { may: admins, id: 'webhookId' },
  'PATCH /webhooks/:id': { may: admins, id: 'webhookId', body: { description: 'CRM' } },
  'DELETE /webhooks/:id': { may: admins, id: 'webhookId' },
  'POST /webhooks/:id/enable': { may: admins, id: 'webhookId' },
  'POST /webhooks/:id/disable': { may: admins, id: 'webhookId' },
  'POST /webhooks/:id/secret': { may: admins, id: 'webhookId', body: { graceHours: 1 } },
  'POST /webhooks/:id/test': { may: admins, id: 'webhookId' },
  'GET /webhooks/:id/deliveries': { may: admins, id: 'webhookId' },
  'GET /webhooks/:id/deliveries/:deliveryId': { may: admins, id: 'deliveryId' },
  'POST /webhooks/:id/redeliver': {
    may: admins,
    id: 'webhookId',
    body: { since: '2026-01-01T00:00:00Z' },
  },

  'GET /monitoring': { may: everybody },
  'GET /monitoring/summary': { may: everybody },
  'GET /monitoring/:id': { may: everybody, id: 'installationId' },
  'GET /monitoring/:id/energy': {
    may: everybody,
    id: 'installationId',
    query: '?from=2026-03-01&to=2026-03-07&by=daily',
  },
  'GET /monitoring/:id/panels': {
    may: everybody,
    id: 'installationId',
    query: '?from=2026-03-01&to=2026-03-07',
  },
  'GET /monitoring/:id/alerts': { may: everybody, id: 'installationId' },
  'GET /quarantine': { may: runners },
  'POST /quarantine/decisions': {
    may: runners,
    id: 'quarantinedId',
    body: ({ quarantinedId }: Ids) => ({ ids: [quarantinedId], decision: 'drop' }),
  },
  'POST /alerts/:id/acknowledge': { may: everybody, id: 'alertId' },
  'POST /alerts/:id/resolve': { may: runners, id: 'alertId' },

  'GET /imports': { may: admins },
  'PUT /imports': {
    may: admins,
    query: '?name=leads.csv',
    raw: Buffer.from('First name,Last name\nAda,Moreno\n'),
  },
  'GET /imports/:id': { may: admins, id: 'importId' },
  'GET /imports/:id/problems.csv': { may: admins, id: 'importId' },
  'POST /imports/:id/check': { may: admins, id: 'importId', body: { mapping: ['firstName'] } },
  'POST /imports/:id/start': { may: admins, id: 'importId', state: 'checked' },
  'POST /imports/:id/stop': { may: admins, id: 'importId', state: 'running' },
  'GET /imports/:id/undo': { may: admins, id: 'importId', state: 'done' },
  'POST /imports/:id/undo': { may: admins, id: 'importId', state: 'done' },

  'GET /billing/summary': { may: runners },
  'GET /billing/invoices': { may: runners },
  'GET /billing/invoices/:id': { may: runners, id: 'invoiceId' },
  'GET /billing/invoices/:id/pdf': { may: runners, id: 'invoiceId' },
  'PATCH /billing/invoices/:id': {
    may: runners,
    id: 'invoiceId',
    body: { version: 1, dueDate: '2027-01-31' },
  },
  'POST /billing/invoices/:id/delete': { may: runners, id: 'invoiceId', body: { version: 1 } },
  'POST /billing/invoices/:id/finalize': { may: runners, id: 'invoiceId', body: { version: 1 } },
  'POST /billing/invoices/:id/pay': {
    may: runners,
    id: 'invoiceId',
    invoice: 'open',
    body: { version: 2, amount: '1.50' },
  },
  'POST /billing/invoices/:id/void': { may: runners, id: 'invoiceId', invoice: 'open', body: { version: 2 } },
  'GET /billing/credits': { may: runners },
  'POST /billing/credits/:id/refund': {
    may: runners,
    id: 'creditId',
    body: { version: 1, amount: '0.01', method: 'check', reference: null, on: '2026-01-31' },
  },
  'GET /billing/plans': { may: runners },
  'PUT /billing/plans/:id': { may: runners, id: 'billedId', body: planBody },
  'DELETE /billing/plans/:id': { may: runners, id: 'billedId' },
  'POST /billing/plans/:id/release': {
    may: runners,
    id: 'billedId',
    body: { month: '2026-01', as: 'measured' },
  },
  'GET /billing/unbilled': { may: runners },
  'GET /billing/runs': { may: runners },
  'POST /billing/runs': { may: runners, body: { month: '2026-01' } },
  'GET /billing/runs/:id': { may: runners, id: 'runId' },

  'GET /ladders': { may: installers(admins) },
  'PUT /ladders/order': {
    may: installers(admins),
    body: ({ ladder }: Ids) => ({ productLine: 'solar', before: ladder, after: ladder }),
  },
  'POST /stages': {
    may: installers(admins),
    body: () => ({ productLine: 'hi', name: `Stage ${++sent}`, after: null }),
  },
  'PATCH /stages/:id': { may: installers(admins), id: 'ladderStageId', body: { version: 1, daysAllowed: 3 } },
  'POST /stages/:id/retire': { may: installers(admins), id: 'ladderStageId', body: { version: 1 } },
  'POST /stages/preview': {
    may: installers(admins),
    body: { stage: 'Design', message: { subject: 'Hello', body: 'Dear {firstName}' } },
  },

  'GET /adders': { may: installers(admins) },
  'GET /adders.csv': { may: installers(admins) },
  'POST /adders': {
    may: installers(admins),
    body: { name: 'Snow guard', productLine: 'solar', unit: 'each', unitPrice: '12.50' },
  },
  'PATCH /adders/:id': { may: installers(admins), id: 'adderId', body: { version: 1, unitPrice: '13.00' } },
  'PUT /adders/order': { may: installers(admins), body: { before: [], after: [] } },
  'POST /adders/check': { may: installers(admins), body: { csv: 'Name\n' } },
  'POST /adders/import': { may: installers(admins), body: { csv: 'Name\n', stamp: emptyTable } },
  'GET /equipment': { may: installers(admins) },
  'GET /equipment.csv': { may: installers(admins) },
  'POST /equipment': {
    may: installers(admins),
    body: { kind: 'panel', manufacturer: 'Helianth', watts: '400' },
  },
  'PATCH /equipment/:id': { may: installers(admins), id: 'equipmentId', body: { version: 1, model: 'New' } },
  'PUT /equipment/order': { may: installers(admins), body: { before: [], after: [] } },
  'POST /equipment/check': { may: installers(admins), body: { csv: 'Kind\n' } },
  'POST /equipment/import': { may: installers(admins), body: { csv: 'Kind\n', stamp: emptyTable } },
}
