import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { DomainError } from '../../../src/domain/kernel/domain-error.ts'
import {
  type Action,
  type Asking,
  actions,
  authorize,
  holders,
  holds,
  InstallerOnly,
  may,
} from '../../../src/domain/kernel/policy.ts'
import { type Role, roles } from '../../../src/domain/kernel/tenant/member.ts'
import { consoleRoutes } from '../../support/console-routes.ts'

const kinds = ['installer', 'dealer'] as const
const all = Object.keys(actions) as Action[]
const held = (company: (typeof kinds)[number], holder: (typeof holders)[number]) =>
  all.filter((action) => holds(company, holder, action))
const member = (companyKind: (typeof kinds)[number], role: Role) =>
  ({ kind: 'member', companyKind, role, canWrite: true }) as const

test('roles are sets: who is above holds what those below do, and an installer’s what a dealer’s do', () => {
  const ladder: Role[] = ['surveyor', 'setter', 'manager', 'admin', 'owner']
  for (const company of kinds)
    ladder.slice(1).forEach((role, below) => {
      const lacking = held(company, ladder[below]!).filter((action) => !holds(company, role, action))
      assert.deepEqual(lacking, [], `${company}’s ${role}`)
    })
  for (const holder of holders)
    assert.deepEqual(
      held('dealer', holder).filter((action) => !holds('installer', holder, action)),
      [],
      holder,
    )
})

test('every action is held by somebody, and what people hold is asked by a route of the console', () => {
  const routes = new Set<string>(Object.values(consoleRoutes).map((route) => route.may))
  // These decide what of a record is there, or hang on what it is; tests of their own call them. People add files from
  // addresses in the demo only.
  const within = [
    'files.addFromAddress',
    'records.readAll',
    'leads.sell',
    'notes.internal',
    'links.endOthers',
    'people.manageOwners',
  ]
  for (const action of all) {
    assert.ok(
      holders.some((holder) => holds('installer', holder, action)),
      action,
    )
    const isPeoples = roles.some((role) => holds('installer', role, action))
    if (isPeoples) assert.ok(routes.has(action) || [...within, 'privacy.erase'].includes(action), action)
  }
})

test('a refusal says who may', () => {
  const refusal = (actor: Asking & { canWrite: boolean }, action: Action) => {
    let found: unknown
    try {
      authorize(actor, action)
    } catch (error) {
      found = error
    }
    assert.equal(found === undefined, may(actor, action) && actor.canWrite, action)
    return found as DomainError
  }
  const rep = refusal(member('installer', 'rep'), 'billing.finalize')
  assert.equal(rep.message, 'Only owners, admins and managers may finalize invoices. Ask one of them.')
  assert.equal(rep.code, 'forbidden')
  const admin = refusal(member('dealer', 'admin'), 'company.requireSecondFactor')
  assert.match(admin.message, /^Only owners may decide/)
  // Nobody at a dealer may: asking a colleague would not help.
  const dealers = refusal(member('dealer', 'rep'), 'ladders.change')
  assert.ok(dealers instanceof InstallerOnly)
  assert.match(dealers.message, /Your company is a dealer/)
  const key = { kind: 'key', companyKind: 'dealer', canWrite: true } as const
  assert.match(
    refusal(key, 'catalogue.read').message,
    /Only the installer's key .* This key belongs to a dealer/,
  )
  assert.match(refusal(key, 'keys.manage').message, /Only owners and admins/)
  const reading = { kind: 'key', companyKind: 'installer', canWrite: false } as const
  assert.match(refusal(reading, 'projects.move').message, /may only read/)
  assert.equal(refusal({ ...reading, canWrite: true }, 'projects.move'), undefined)
})

test('nobody else asks for the role of who acts', async () => {
  const asking: string[] = []
  for await (const path of glob('src/{api,domain}/**/*.ts'))
    if (/\b(actor|by)\.role\b/.test(await readFile(path, 'utf8'))) asking.push(path)
  // Who begins a lead is on it; and whether they still have the role that they began with.
  assert.deepEqual(asking.sort(), [
    'src/domain/deals/leads/prepare-lead.ts',
    'src/domain/kernel/require-still-good.ts',
  ])
})
