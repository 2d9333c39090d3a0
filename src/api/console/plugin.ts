import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AlreadyDone } from '../../domain/journal/submissions/submit-once.ts'
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
import { reserveRoom } from '../http/body-room.ts'
import { answerError, errorBody } from '../http/errors.ts'
import { acceptJson } from '../http/json-body.ts'
import type { FromSchemas } from '../http/routes.ts'
import { compileSchema } from '../http/validation.ts'
import type { Parts } from '../parts.ts'
import { accountRoutes } from './account.ts'
import { activityRoutes } from './activities.ts'
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
import { fileRoutes } from './files.ts'
import { homeRoutes } from './home.ts'
import { importRoutes, importUploadRoute } from './imports.ts'
import { invitationLinkRoutes, invitationRoutes } from './invitations.ts'
import { keyRoutes } from './keys.ts'
import { ladderRoutes } from './ladders.ts'
import { leadRoutes } from './leads.ts'
import { linkRoutes } from './links.ts'
import { liveRoutes } from './live.ts'
import { mailRoutes } from './mails.ts'
import { monitoringRoutes } from './monitoring.ts'
import { inOwnWords } from './own-words.ts'
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
import { submittedOnce } from './submissions.ts'
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
export async function consoleFace(app: FastifyInstance, parts: Parts, sessions: Sessions): Promise<void> {
  app.setErrorHandler((error, request, reply) =>
    answerError(error, request, reply, (code, message) => {
      const words = inOwnWords(error, message)
      return ownError(error, words) ?? errorBody(code, words, parts.addresses.baseUrl)
    }),
  )
  app.decorateRequest('visitor', null)
  app.decorateRequest('person', null)
  app.decorateRequest('signedIn', null)
  consoleAssets(app)
  await app.register(async (scope) => authRoutes(scope, parts, sessions))

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
        setUpRoutes(open, parts)
        invitationLinkRoutes(open, parts, sessions)
      })
      await scope.register(async (instance) => {
        const own = instance.withTypeProvider<FromSchemas>()
        own.addHook('onRequest', async (request, reply) => {
          request.signedIn = await sessions.signedIn(request, reply)
          if (!request.signedIn) throw notSignedIn()
          const memberships = await listMemberships(parts.db, { userId: request.signedIn.userId })
          await requireSecondFactor(parts.db, request.signedIn, memberships)
        })
        invitationRoutes(own, parts)
      })
      await scope.register(async (instance) => {
        const guarded = instance.withTypeProvider<FromSchemas>()
        guarded.addHook('onRequest', async (request, reply) => {
          const person = await sessions.personOf(request, reply)
          if (!person) throw notSignedIn()
          request.person = person
          if (request.routeOptions.config.withoutCompany) return
          const current = companyMeant(request, person)
          const gap = await factorGap(parts.db, person, current)
          if (gap) throw new SecondFactorRequired(gap)
          request.visitor = { ...person, current }
        })
        // What needs no company is counted by the person.
        reserveRoom(guarded, parts.bodies, ({ visitor, person }) => ({
          group: visitor?.current.installerId ?? person!.userId,
          owner: visitor?.current.companyId ?? person!.userId,
        }))
        submittedOnce(guarded, parts)
        sessionRoutes(guarded, parts)
        accountRoutes(guarded, parts)
        boardRoutes(guarded, parts)
        leadRoutes(guarded, parts)
        privacyRoutes(guarded, parts)
        activityRoutes(guarded, parts)
        viewRoutes(guarded, parts)
        projectRoutes(guarded, parts)
        projectPages(guarded, parts)
        linkRoutes(guarded, parts)
        projectItemRoutes(guarded, parts)
        uploadRoutes(guarded, parts)
        fileRoutes(guarded, parts)
        saleRoutes(guarded, parts)
        calendarRoutes(guarded, parts)
        homeRoutes(guarded, parts)
        searchRoutes(guarded, parts)
        liveRoutes(guarded, parts)
        peopleRoutes(guarded, parts)
        companyRoutes(guarded, parts)
        auditRoutes(guarded, parts)
        mailRoutes(guarded, parts)
        importRoutes(guarded, parts)
        importUploadRoute(guarded, parts)
        keyRoutes(guarded, parts)
        requestRoutes(guarded, parts)
        webhookRoutes(guarded, parts)
        monitoringRoutes(guarded, parts)
        quarantineRoutes(guarded, parts)
        invoiceRoutes(guarded, parts)
        creditRoutes(guarded, parts)
        planRoutes(guarded, parts)
        ladderRoutes(guarded, parts)
        catalogueSettingRoutes(guarded, parts)
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
