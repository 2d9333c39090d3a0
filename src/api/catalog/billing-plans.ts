import type { FastifyInstance, FastifyRequest } from 'fastify'
import { billHeldMonth } from '../../domain/billing/months/bill-held-month.ts'
import { numberedPlans } from '../../domain/billing/plans/list-plans.ts'
import { planRecord } from '../../domain/billing/plans/plan.ts'
import { readPlan } from '../../domain/billing/plans/read-plan.ts'
import { deletePlan, type PlanInput, setPlan } from '../../domain/billing/plans/set-plan.ts'
import type { Context } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendRecord } from '../http/etag.ts'
import { NoQuery } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { customerOf } from './billing-mapping.ts'
import { MonthParams, PlanBody, PlanParams, PlansQuery, ReleaseBody } from './billing-requests.ts'
import { listBody, pageWanted } from './paging.ts'

const tags = ['Billing']
const path = '/billing/plans/:installation_id'
interface OfInstallation {
  Params: { installation_id: string }
}

async function planText(ctx: Context, installationId: string): Promise<string> {
  const { plan, held } = await readPlan(ctx, installationId)
  return JSON.stringify(planRecord(plan, held))
}

/** Null where there is none yet. */
const planOf = (ctx: Context, { params }: FastifyRequest) =>
  planText(ctx, (params as OfInstallation['Params']).installation_id).catch((error) => {
    if (error instanceof DomainError && error.code === 'not_found') return null
    throw error
  })

export function planRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<{ Querystring: PlansQuery }>(
    '/billing/plans',
    {
      schema: {
        operationId: 'listBillingPlans',
        tags,
        summary: 'List billing plans',
        description:
          'Those that bill, of the newest installation first. An installer sees its dealers’ plans too.',
        querystring: PlansQuery,
        response: answers({ 200: ['BillingPlanList', 'A page of plans'] }, [400, 403]),
      },
    },
    async (request, reply) => {
      const page = pageWanted(request.query)
      const { plans, total } = await numberedPlans(
        contextOf(deps, request),
        deps.startedPage,
        request.query.kind,
        page,
      )
      const records = plans.map((plan) => JSON.stringify(planRecord(plan, plan.held)))
      return sendJson(reply, listBody(page, records.join(','), total))
    },
  )

  app.get<OfInstallation>(
    path,
    {
      config: { etag: 'read' },
      schema: {
        operationId: 'readBillingPlan',
        tags,
        summary: 'Read an installation’s billing plan',
        params: PlanParams,
        querystring: NoQuery,
        response: answers({ 200: ['BillingPlan', 'The plan'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      return sendRecord(
        request,
        reply,
        await planText(contextOf(deps, request), request.params.installation_id),
      )
    },
  )

  app.put<OfInstallation & { Body: PlanBody }>(
    path,
    {
      config: { matches: planOf },
      schema: {
        operationId: 'setBillingPlan',
        tags,
        summary: 'Set an installation’s billing plan',
        description:
          'In place of the one before. It cannot begin so late that days between what that one has billed and its own first day would never be billed. Each month is drafted soon after it ends; drafts that nobody changed follow the plan.',
        params: PlanParams,
        body: PlanBody,
        querystring: NoQuery,
        response: answers(
          { 200: ['BillingPlan', 'The plan as it now reads'], 201: ['BillingPlan', 'The first plan'] },
          [400, 403, 404],
        ),
      },
    },
    async (request, reply) => {
      const { plan, held, created } = await setPlan(
        contextOf(deps, request),
        request.params.installation_id,
        inputOf(request.body),
      )
      return sendJson(reply.code(created ? 201 : 200), JSON.stringify(planRecord(plan, held)))
    },
  )

  app.post<{ Params: { installation_id: string; month: string }; Body: ReleaseBody | undefined }>(
    `${path}/months/:month/release`,
    {
      schema: {
        operationId: 'releaseHeldMonth',
        tags,
        summary: 'Bill a month that is held',
        description:
          'Although readings are missing. Its draft is made at once; what comes in later changes the draft, or is trued up.',
        params: MonthParams,
        body: ReleaseBody,
        querystring: NoQuery,
        response: answers({ 200: ['ReleasedMonth', 'What came of it'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { installation_id, month } = request.params
      const billed = await billHeldMonth(
        contextOf(deps, request),
        installation_id,
        month,
        request.body?.as ?? 'measured',
      )
      const { outcome, invoiceId, detail } = billed
      return sendJson(
        reply,
        JSON.stringify({ installation_id, month, outcome, invoice_id: invoiceId, detail }),
      )
    },
  )

  app.delete<OfInstallation>(
    path,
    {
      config: { matches: planOf },
      schema: {
        operationId: 'removeBillingPlan',
        tags,
        summary: 'End an installation’s billing',
        description:
          'With this day: what was made until then is billed by a last draft, and held months stay held. Drafts and invoices stay. Where readings that come later change what was billed, the monthly run drafts a closing invoice of the difference.',
        params: PlanParams,
        querystring: NoQuery,
        response: answers({ 204: [null, 'The plan is gone'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      await deletePlan(contextOf(deps, request), request.params.installation_id)
      return reply.code(204).send()
    },
  )
}

function inputOf(body: PlanBody): PlanInput {
  const { customer, currency, escalator_percent, payment_term_days, completeness_percent } = body
  return {
    kind: body.kind,
    rate: String(body.rate),
    startDate: body.start_date,
    ...(escalator_percent === undefined ? {} : { escalatorPercent: String(escalator_percent) }),
    ...(currency === undefined ? {} : { currency }),
    ...(customer ? { customer: customerOf(customer) } : {}),
    ...(payment_term_days === undefined ? {} : { paymentTermDays: payment_term_days }),
    ...(completeness_percent === undefined ? {} : { completenessPercent: String(completeness_percent) }),
  }
}
