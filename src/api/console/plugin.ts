import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AlreadyDone } from '../../domain/journal/submissions/submission.ts'
import { ChangedMeanwhile } from '../../domain/kernel/changed-meanwhile.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Membership } from '../../domain/kernel/tenant/member.ts'
import { OtherCompany } from '../../domain/tenants/people/other-company.ts'
import { listMemberships } from '../../domain/tenants/people/queries.ts'
import {
  factorGap,
  requireSecondFactor,
  SecondFactorRequired,
} from '../../domain/tenants/people/second-factor.ts'
import type { Deps } from '../deps.ts'
import { reserveQuota } from '../http/body-budget.ts'
import { answerError, errorBody } from '../http/errors.ts'
import { acceptJson } from '../http/json-body.ts'
import type { FromSchemas } from '../http/routes.ts'
import { compileSchema } from '../http/validation.ts'
import { accountRoutes } from './account.ts'
import { activityRoutes } from './activities.ts'
import { agentProposalRoutes } from './agent-proposals.ts'
import { consoleAssets } from './assets.ts'
import { auditRoutes } from './audit.ts'
import { authRoutes } from './auth-routes.ts'
import { invoiceRoutes } from './billing.ts'
import { creditRoutes } from './billing-credits.ts'
import { planRoutes } from './billing-plans.ts'
import { boardRoutes } from './board.ts'
import { calendarRoutes } from './calendar.ts'
import { catalogueSettingRoutes } from './catalogue.ts'
import { companyRoutes } from './company.ts'
import { describeToPerson } from './describe-error.ts'
import { fileRoutes } from './files.ts'
import { homeRoutes } from './home.ts'
import { importRoutes, importUploadRoute } from './imports.ts'
import { invitationLinkRoutes, invitationRoutes } from './invitations.ts'
import { keyRoutes } from './keys.ts'
import { ladderRoutes } from './ladders.ts'
import { leadRoutes } from './leads.ts'
import { linkRoutes } from './links.ts'
import { liveRoutes } from './live.ts'
import { longJobRoutes } from './long-jobs.ts'
import { mailRoutes } from './mails.ts'
import { monitoringRoutes } from './monitoring.ts'
import { peopleRoutes } from './people.ts'
import { privacyRoutes } from './privacy.ts'
import { projectItemRoutes } from './project-items.ts'
import { projectPages } from './project-pages.ts'
import { projectRoutes } from './projects.ts'
import { quarantineRoutes } from './quarantine.ts'
import { requestRoutes } from './requests.ts'
import { saleRoutes } from './sales.ts'
import { searchRoutes } from './search.ts'
import { sessionRoutes } from './session.ts'
import type { Person, Sessions } from './sessions.ts'
import { setUpRoutes } from './set-up.ts'
import { deduplicateSubmissions } from './submissions.ts'
import { uploadRoutes } from './uploads.ts'
import { viewRoutes } from './views.ts'
import { webhookRoutes } from './webhooks.ts'

/** Of what anybody may send: names, an address and a password, each of a few hundred characters. */
const openBodyLimitBytes = 8 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether it is there also for who may not come into their company: it has let them go, or requires a second factor
     * that they lack.
     */
    withoutCompany?: true
  }
}

/** The console: its pages, signing in, and what its pages ask for. People only, no keys. */
export async function consoleFace(app: FastifyInstance, deps: Deps, sessions: Sessions): Promise<void> {
  app.setErrorHandler((error, request, reply) =>
    answerError(error, request, reply, (code, message) => {
      const words = describeToPerson(error, message)
      return ownError(error, words) ?? errorBody(code, words, deps.addresses.baseUrl)
    }),
  )
  app.decorateRequest('visitor', null)
  app.decorateRequest('person', null)
  app.decorateRequest('signedIn', null)
  consoleAssets(app)
  await app.register(async (scope) => authRoutes(scope, deps, sessions))

  await app.register(
    async (scope) => {
      acceptJson(scope)
      scope.setValidatorCompiler(compileSchema)
      scope.setSerializerCompiler(() => JSON.stringify)
      scope.addHook('onRequest', async (request) => refuseForeign(request))
      await scope.register(async (instance) => {
        const open = instance.withTypeProvider<FromSchemas>()
        open.addHook('onRoute', (route) => {
          route.bodyLimit = openBodyLimitBytes
        })
        setUpRoutes(open, deps)
        invitationLinkRoutes(open, deps, sessions)
      })
      await scope.register(async (instance) => {
        const own = instance.withTypeProvider<FromSchemas>()
        own.addHook('onRequest', async (request, reply) => {
          request.signedIn = await sessions.signedIn(request, reply)
          if (!request.signedIn) throw notSignedIn()
          const memberships = await listMemberships(deps.db, { userId: request.signedIn.userId })
          await requireSecondFactor(deps.db, request.signedIn, memberships)
        })
        invitationRoutes(own, deps)
      })
      await scope.register(async (instance) => {
        const guarded = instance.withTypeProvider<FromSchemas>()
        guarded.addHook('onRequest', async (request, reply) => {
          const person = await sessions.personOf(request, reply)
          if (!person) throw notSignedIn()
          request.person = person
          if (request.routeOptions.config.withoutCompany) return
          const current = companyMeant(request, person)
          const gap = await factorGap(deps.db, person, current)
          if (gap) throw new SecondFactorRequired(gap)
          request.visitor = { ...person, current }
        })
        // What needs no company is counted by the person.
        reserveQuota(guarded, deps.bodies, ({ visitor, person }) => ({
          group: visitor?.current.installerId ?? person!.userId,
          owner: visitor?.current.companyId ?? person!.userId,
        }))
        deduplicateSubmissions(guarded, deps)
        sessionRoutes(guarded, deps)
        accountRoutes(guarded, deps)
        boardRoutes(guarded, deps)
        leadRoutes(guarded, deps)
        privacyRoutes(guarded, deps)
        activityRoutes(guarded, deps)
        viewRoutes(guarded, deps)
        projectRoutes(guarded, deps)
        projectPages(guarded, deps)
        linkRoutes(guarded, deps)
        projectItemRoutes(guarded, deps)
        uploadRoutes(guarded, deps)
        fileRoutes(guarded, deps)
        saleRoutes(guarded, deps)
        calendarRoutes(guarded, deps)
        homeRoutes(guarded, deps)
        searchRoutes(guarded, deps)
        liveRoutes(guarded, deps)
        peopleRoutes(guarded, deps)
        companyRoutes(guarded, deps)
        auditRoutes(guarded, deps)
        longJobRoutes(guarded, deps)
        mailRoutes(guarded, deps)
        importRoutes(guarded, deps)
        importUploadRoute(guarded, deps)
        keyRoutes(guarded, deps)
        agentProposalRoutes(guarded, deps)
        requestRoutes(guarded, deps)
        webhookRoutes(guarded, deps)
        monitoringRoutes(guarded, deps)
        quarantineRoutes(guarded, deps)
        invoiceRoutes(guarded, deps)
        creditRoutes(guarded, deps)
        planRoutes(guarded, deps)
        ladderRoutes(guarded, deps)
        catalogueSettingRoutes(guarded, deps)
      })
    },
    { prefix: '/console/api' },
  )
}

/** What the console's pages do more with than showing it. */
function ownError(error: unknown, message: string): string | null {
  const own = (code: string, more: object = {}) => JSON.stringify({ error: { code, message, ...more } })
  if (error instanceof SecondFactorRequired) return own('second_factor_required')
  if (error instanceof OtherCompany) return own(error.reason)
  if (error instanceof AlreadyDone) return own('already_done')
  if (error instanceof ChangedMeanwhile) return own('changed_meanwhile', { now: error.now })
  return null
}

const notSignedIn = () => new DomainError('unauthorized', 'You are not signed in. Sign in to go on.')

/** The company of the session. A page says as which member it acts: in another window somebody may have gone elsewhere. */
function companyMeant({ headers }: FastifyRequest, { current }: Person): Membership {
  if (!current) throw new OtherCompany('company_ended')
  const named = headers['x-sunstead-member']
  if (named !== undefined && named !== current.memberId) throw new OtherCompany('other_company')
  return current
}

/**
 * Refuses what another site's page sends with our cookie. Such a page cannot set a header of its own without asking
 * first, and is never told that it may.
 */
function refuseForeign({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const foreign = site !== undefined && site !== 'same-origin' && site !== 'none'
  const changes = method !== 'GET' && method !== 'HEAD'
  if (!foreign && (!changes || headers['x-sunstead-console'] !== undefined)) return
  throw new DomainError(
    'forbidden',
    'This address is for the console’s own pages. Programs use the API with a key.',
  )
}
