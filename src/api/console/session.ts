import { Type } from 'typebox'
import { recordAccount } from '../../domain/journal/audit/record-account.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { may } from '../../domain/kernel/policy.ts'
import { ladderOf } from '../../domain/kernel/tenant/directory.ts'
import type { Role } from '../../domain/kernel/tenant/member.ts'
import type { ProductLine } from '../../domain/kernel/tenant/stage.ts'
import { noteUsedLast, pinSession } from '../../domain/tenants/people/queries.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { Fields } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { requestOrigin } from './auth-trail.ts'
import { contextOf } from './sessions.ts'

export interface CompanyChoice {
  memberId: string
  companyName: string
  role: Role
}

export interface StageResponse {
  id: string
  name: string
  daysAllowed: number | null
  milestone: string | null
}

export interface MemberResponse {
  id: string
  companyId: string
  name: string
  role: Role
  active: boolean
}

/** Who is here, what they may do, and the words that every page needs. */
export interface SessionResponse {
  person: { name: string; email: string }
  memberId: string
  role: Role
  company: { id: string; installerId: string; name: string; kind: 'installer' | 'dealer'; timezone: string }
  /** Every company that the person may switch to, this one too. */
  choices: CompanyChoice[]
  can: {
    /** Sees all records of the company, assigns and archives. */
    runCompany: boolean
    /** Moves projects, sets dates and people. */
    runProjects: boolean
    settings: boolean
    /** Decides on what agents propose. */
    approve: boolean
  }
  companies: { id: string; name: string; kind: 'installer' | 'dealer' }[]
  members: MemberResponse[]
  ladders: Record<ProductLine, StageResponse[]>
}

const SwitchBody = Fields({ memberId: Type.String() })

export function sessionRoutes(app: Routes, deps: Deps): void {
  app.get('/session', async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { memberships, current, email } = request.visitor!
    const directory = await deps.directories.current(deps.db, current.installerId)
    const isInstaller = current.companyKind === 'installer'
    const seen = (companyId: string) => isInstaller || companyId === current.companyId
    const ladder = (line: ProductLine) =>
      ladderOf(directory, line).map(({ id, name, daysAllowed, milestone }) => ({
        id,
        name,
        daysAllowed,
        milestone,
      }))
    const session: SessionResponse = {
      person: { name: current.name, email },
      memberId: current.memberId,
      role: current.role,
      company: {
        id: current.companyId,
        installerId: current.installerId,
        name: current.companyName,
        kind: current.companyKind,
        timezone: directory.companies.get(current.companyId)!.timezone,
      },
      choices: memberships
        .map(({ memberId, companyName, role }) => ({ memberId, companyName, role }))
        .sort((a, b) => a.companyName.localeCompare(b.companyName)),
      can: {
        runCompany: may(ctx.actor, 'leads.changeMany'),
        runProjects: may(ctx.actor, 'projects.change'),
        settings: may(ctx.actor, 'company.change'),
        approve: may(ctx.actor, 'agents.decide'),
      },
      companies: [...directory.companies.values()]
        .filter(({ id }) => seen(id))
        .map(({ id, name, kind }) => ({ id, name, kind })),
      members: [...directory.members.values()]
        .filter(({ companyId }) => seen(companyId))
        .map(({ id, companyId, name, role, active }) => ({ id, companyId, name, role, active }))
        .sort((a, b) => a.name.localeCompare(b.name)),
      ladders: { solar: ladder('solar'), hi: ladder('hi') },
    }
    return sendJson(reply, JSON.stringify(session))
  })

  app.post(
    '/session/company',
    { config: { withoutCompany: true }, schema: { body: SwitchBody } },
    async (request, reply) => {
      const { userId, memberships, sessionId, current } = request.person!
      const { memberId } = request.body
      const chosen = memberships.find((m) => m.memberId === memberId)
      if (!chosen) throw new DomainError('not_found', 'You do not work for this company.')
      await pinSession(deps.db, { id: sessionId, memberId })
      await noteUsedLast(deps.db, { userId, memberId })
      if (chosen.memberId !== current?.memberId)
        await recordAccount(deps.db, currentTime(), [chosen], requestOrigin(request), {
          type: 'security.company_entered',
        })
      return sendJson(reply, '{}')
    },
  )
}
