import type { FastifyInstance } from 'fastify'
import { billHeldMonth } from '../../domain/billing/months/bill-held-month.ts'
import { planRecord } from '../../domain/billing/plans/plan.ts'
import { readPlan } from '../../domain/billing/plans/read-plan.ts'
import { deletePlan, type PlanInput, setPlan } from '../../domain/billing/plans/set-plan.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendJson } from '../http/send-json.ts'
import { customerOf } from './billing-mapping.ts'
import { MonthParams, NothingAsked, PlanBody, PlanParams, ReleaseBody } from './billing-requests.ts'

const tags = ['Billing']
const path = '/billing/plans/:installation_id'
interface OfInstallation {
  Params: { installation_id: string }
}

export function planRoutes(app: FastifyInstance, deps: Deps): void {
  app.get<OfInstallation>(
    path,
    {
      schema: {
        operationId: 'readBillingPlan',
        tags,
        summary: 'Read an installation’s billing plan',
        params: PlanParams,
        querystring: NothingAsked,
        response: answers({ 200: ['BillingPlan', 'The plan'] }, [400, 403, 404]),
      },
    },
    async (request, reply) => {
      const { plan, held } = await readPlan(contextOf(deps, request), request.params.installation_id)
      return sendJson(reply, JSON.stringify(planRecord(plan, held)))
    },
  )

  app.put<OfInstallation & { Body: PlanBody }>(
    path,
    {
      schema: {
        operationId: 'setBillingPlan',
        tags,
        summary: 'Set an installation’s billing plan',
        description:
          'In place of the one before. It cannot begin so late that days between what that one has billed and its own first day would never be billed. Each month is drafted soon after it ends; drafts that nobody changed follow the plan.',
        params: PlanParams,
        body: PlanBody,
        querystring: NothingAsked,
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
        querystring: NothingAsked,
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
      schema: {
        operationId: 'removeBillingPlan',
        tags,
        summary: 'End an installation’s billing',
        description:
          'With this day: what was made until then is billed by a last draft, and held months stay held. Drafts and invoices stay. Where readings that come later change what was billed, the monthly run drafts a closing invoice of the difference.',
        params: PlanParams,
        querystring: NothingAsked,
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
