import { DomainError } from './domain-error.ts'
import type { CompanyKind } from './tenant/company.ts'
import { type Role, roles } from './tenant/member.ts'

/**
 * Who may what: every use case asks here, and docs/permissions.md is written from here. What belongs to another company,
 * or is hidden from who sees only their own records, is not refused but not there: see `scopeOf`.
 */
interface ActionInfo {
  /** Completes "may …". */
  does: string
  /** Not for keys that only read. */
  changes?: true
  /** Moves a stage, sells or bills: a key that is held to proposing may not, and proposes it to people instead. */
  decides?: true
}

export const actions = {
  'records.readAll': { does: 'see records that they are not on' },

  'leads.change': { does: 'create and change leads', changes: true },
  'leads.changeMany': { does: 'assign and archive leads', changes: true },
  'leads.sell': { does: 'sell leads that are not their own', changes: true, decides: true },
  'sales.read': { does: 'see what was agreed with the customer' },
  'notes.write': { does: 'write notes', changes: true },
  'notes.internal': { does: 'read and write internal notes' },

  'projects.create': { does: 'create projects without a lead', changes: true, decides: true },
  'projects.change': { does: 'change a project', changes: true },
  'projects.move': { does: 'move a project', changes: true, decides: true },
  'checklists.tick': { does: 'tick checklists', changes: true },
  'files.addFromAddress': { does: 'add files to a project by address or form', changes: true },
  'links.share': { does: 'share addresses', changes: true },
  'links.endOthers': { does: 'see and end addresses that others shared' },
  'links.renew': { does: 'renew the addresses of a project', changes: true },

  'installations.change': { does: 'change installations and panels', changes: true },
  'readings.send': { does: 'send readings', changes: true },
  'quarantine.read': { does: 'see quarantined readings' },
  'quarantine.decide': { does: 'release or drop readings', changes: true },
  'alerts.acknowledge': { does: 'acknowledge alerts', changes: true },
  'alerts.resolve': { does: 'resolve alerts', changes: true },

  'billing.read': { does: 'see invoices, plans and credits' },
  'billing.draft': { does: 'draft invoices', changes: true, decides: true },
  'billing.finalize': { does: 'finalize invoices', changes: true, decides: true },
  'billing.pay': { does: 'note payments', changes: true, decides: true },
  'billing.void': { does: 'void invoices', changes: true, decides: true },
  'billing.refund': { does: 'pay back customers', changes: true, decides: true },
  'billing.plan': { does: 'change billing plans', changes: true, decides: true },
  'billing.run': { does: 'bill customers', changes: true, decides: true },

  'catalogue.read': { does: 'read the catalogue' },
  'catalogue.change': { does: 'change the catalogue', changes: true },
  'ladders.change': { does: 'change the ladders', changes: true },

  'company.change': { does: 'see and change the company’s settings', changes: true },
  'company.requireSecondFactor': { does: 'decide whether a second factor is required', changes: true },
  'dealers.manage': { does: 'see, add and suspend dealers', changes: true },
  'people.manage': { does: 'see, invite and change people', changes: true },
  'people.manageOwners': { does: 'invite or change an owner', changes: true },
  'work.reassign': { does: 'reassign work', changes: true },

  'keys.manage': { does: 'see, make, roll and revoke API keys', changes: true },
  'requests.read': { does: 'see the request log' },
  'webhooks.read': { does: 'see webhooks' },
  'webhooks.change': { does: 'change webhooks', changes: true },
  'audit.read': { does: 'read the audit log' },
  'mails.read': { does: 'read mails' },
  'mails.resend': { does: 'send mails again', changes: true },
  'imports.run': { does: 'import files', changes: true },

  'agents.decide': { does: 'see and decide on what agents propose', changes: true },

  'privacy.retain': { does: 'decide how long things are kept', changes: true },
  'privacy.export': { does: 'export what is known about a customer' },
  'privacy.erase': { does: 'erase a customer', changes: true },
  'privacy.eraseBuyer': { does: 'erase a customer who has bought', changes: true },
} satisfies Record<string, ActionInfo>
export type Action = keyof typeof actions

/** Keys, and the system itself, are not people: they have rows of their own. */
export type Holder = Role | 'key' | 'job'

const works: Action[] = ['alerts.acknowledge', 'checklists.tick', 'links.share', 'notes.write']
const sells: Action[] = ['catalogue.read', 'leads.change', 'sales.read']
/** People only, whatever a key may do. */
const approves: Action[] = ['agents.decide']
const runs: Action[] = [
  'alerts.resolve',
  'billing.draft',
  'billing.finalize',
  'billing.pay',
  'billing.plan',
  'billing.read',
  'billing.refund',
  'billing.run',
  'billing.void',
  'installations.change',
  'leads.changeMany',
  'leads.sell',
  'links.endOthers',
  'quarantine.decide',
  'quarantine.read',
  'records.readAll',
]
const administers: Action[] = [
  'audit.read',
  'company.change',
  'imports.run',
  'keys.manage',
  'mails.read',
  'mails.resend',
  'notes.internal',
  'people.manage',
  'privacy.erase',
  'privacy.export',
  'privacy.retain',
  'requests.read',
  'webhooks.change',
  'webhooks.read',
  'work.reassign',
]
const owns: Action[] = ['company.requireSecondFactor', 'people.manageOwners']
/** A program of the company: what its interfaces offer. */
const connects: Action[] = [
  'alerts.acknowledge',
  'checklists.tick',
  'leads.change',
  'notes.internal',
  'notes.write',
  'projects.create',
  'readings.send',
  'sales.read',
  'webhooks.change',
  'webhooks.read',
]

/** The projects are the installer's, whoever sold them; so are the ladders and the catalogue. */
const runsProjects: Action[] = ['files.addFromAddress', 'links.renew', 'projects.change', 'projects.move']
const administersTenant: Action[] = [
  'catalogue.change',
  'dealers.manage',
  'ladders.change',
  'privacy.eraseBuyer',
]

const dealer: Record<Holder, Action[]> = {
  owner: [...works, ...sells, ...approves, ...runs, ...administers, ...owns],
  admin: [...works, ...sells, ...approves, ...runs, ...administers],
  manager: [...works, ...sells, ...approves, ...runs],
  rep: [...works, ...sells, ...approves],
  setter: [...works, ...sells],
  surveyor: works,
  subcontractor: works,
  key: [...connects, ...runs],
  job: [...connects, ...runs, 'imports.run', 'privacy.erase', 'privacy.export'],
}

/** What an installer's hold besides. */
const installerOnly: Partial<Record<Holder, Action[]>> = {
  owner: [...runsProjects, ...administersTenant],
  admin: [...runsProjects, ...administersTenant],
  manager: runsProjects,
  rep: ['files.addFromAddress'],
  setter: ['files.addFromAddress'],
  surveyor: ['files.addFromAddress'],
  subcontractor: ['files.addFromAddress'],
  key: [...runsProjects, 'catalogue.read'],
  job: [...runsProjects, 'privacy.eraseBuyer'],
}

export const holders = [...roles, 'key', 'job'] as const satisfies readonly Holder[]

function setsOf(of: (holder: Holder) => Action[]): Record<Holder, ReadonlySet<Action>> {
  return Object.fromEntries(holders.map((holder) => [holder, new Set(of(holder))])) as never
}

/** Built-in roles are nothing but sets of actions. */
const rights: Record<CompanyKind, Record<Holder, ReadonlySet<Action>>> = {
  installer: setsOf((holder) => [...dealer[holder], ...(installerOnly[holder] ?? [])]),
  dealer: setsOf((holder) => dealer[holder]),
}

/** Who works by a key that was made for an agent. */
export interface Agent {
  name: string
  /** It may not move a stage, sell or bill: it proposes that, and a person decides. */
  proposes: boolean
}

/** Who asks: an actor, as far as it matters. */
export interface Asking {
  kind: 'key' | 'member' | 'job'
  companyKind: CompanyKind
  /** Of a person. What is done later in their name is done by the system. */
  role?: Role
  agent?: Agent | null
}

export const holderOf = ({ kind, role }: Asking): Holder => role ?? (kind === 'key' ? 'key' : 'job')

export function holds(companyKind: CompanyKind, holder: Holder, action: Action): boolean {
  return rights[companyKind][holder].has(action)
}

/** Whether the actor may do it at all; whether with this very record is the use case's to know. */
export function may(actor: Asking, action: Action): boolean {
  return holds(actor.companyKind, holderOf(actor), action)
}

/** Lets who may go on, and tells others who may. */
export function authorize(actor: Asking & { canWrite: boolean }, action: Action): void {
  const { does, changes }: ActionInfo = actions[action]
  if (changes) requireWriter(actor)
  if (may(actor, action)) {
    requireDecider(actor, action)
    return
  }
  const who = roles.filter((role) => holds(actor.companyKind, role, action)).map((role) => `${role}s`)
  if (isInstallers(actor, action))
    throw new InstallerOnly(
      actor.kind === 'member'
        ? `Only the installer may ${does}. Your company is a dealer.`
        : `Only the installer's key may ${does}. This key belongs to a dealer.`,
    )
  if (who.length === 0) throw new DomainError('forbidden', `Only API keys may ${does}.`)
  const last = who.pop()
  const list = who.length > 0 ? `${who.join(', ')} and ${last}` : last
  throw new DomainError('forbidden', `Only ${list} may ${does}. Ask one of them.`)
}

/** Whether nobody at the actor's company may, so that asking a colleague does not help. */
function isInstallers({ companyKind, kind }: Asking, action: Action): boolean {
  if (companyKind === 'installer') return false
  if (kind === 'key' && holds('installer', 'key', action)) return true
  return holders.every((holder) => !holds('dealer', holder, action))
}

export function requireWriter({ canWrite }: { canWrite: boolean }): void {
  if (!canWrite) throw new DomainError('forbidden', 'This key may only read. Use a key with full access.')
}

/** Whether it moves a stage, sells or bills. */
export function decides(action: Action): boolean {
  const info: ActionInfo = actions[action]
  return info.decides === true
}

/** Refuses what a key that is held to proposing may not do by itself. */
export function requireDecider({ agent }: Pick<Asking, 'agent'>, action: Action): void {
  if (!agent?.proposes || !decides(action)) return
  throw new DomainError(
    'forbidden',
    `This key may propose, but not ${actions[action].does} by itself. Propose it through /mcp: a person then approves it in the console. Or use a key with full access.`,
  )
}

/** What only the installer may do was asked by a dealer. */
export class InstallerOnly extends DomainError {
  constructor(message: string) {
    super('forbidden', message)
  }
}
