import { billHeldMonth } from '../../domain/billing/months/bill-held-month.ts'
import { pageOfPlans, pageOfUnbilled } from '../../domain/billing/plans/list-plans.ts'
import { deletePlan, setPlan } from '../../domain/billing/plans/set-plan.ts'
import { orderRun } from '../../domain/billing/runs/order-run.ts'
import { lastRuns, readRun } from '../../domain/billing/runs/read-run.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { byId } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { customerOf } from './billing.ts'
import { HeldMonthBody, PlanBody, PlansQuery, RunBody, RunQuery, UnbilledQuery } from './billing-requests.ts'
import {
  type BilledMonthResponse,
  type PlansResponse,
  planResponse,
  type RunRead,
  runResponse,
  type UnbilledResponse,
} from './billing-responses.ts'
import { contextOf } from './sessions.ts'

const pageSize = 40

/** Plans of installations, the months that they are billed for, and those that are not billed. */
export function planRoutes(app: Routes, deps: Deps): void {
  app.get('/billing/plans', { schema: { querystring: PlansQuery } }, async (request, reply) => {
    const { after = null, limit = pageSize, ...filters } = request.query
    const { installations, next } = await pageOfPlans(contextOf(deps, request), {
      ...filters,
      after,
      limit,
    })
    const response: PlansResponse = { installations: installations.map(planResponse), next }
    return sendJson(reply, JSON.stringify(response))
  })

  app.put('/billing/plans/:id', { schema: { params: IdParams, body: PlanBody } }, async (request, reply) => {
    const { seen, customer, ...body } = request.body
    const input = { ...body, customer: customerOf(customer) }
    await setPlan(contextOf(deps, request), request.params.id, input, seen)
    return sendJson(reply, '{}')
  })

  app.delete('/billing/plans/:id', byId, async (request, reply) => {
    await deletePlan(contextOf(deps, request), request.params.id)
    return sendJson(reply, '{}')
  })

  app.post(
    '/billing/plans/:id/release',
    { schema: { params: IdParams, body: HeldMonthBody } },
    async (request, reply) => {
      const { month, as } = request.body
      const billed = await billHeldMonth(contextOf(deps, request), request.params.id, month, as)
      const { outcome, invoiceId, detail } = billed
      const response: BilledMonthResponse = { outcome, invoiceId, detail }
      return sendJson(reply, JSON.stringify(response))
    },
  )

  app.get('/billing/unbilled', { schema: { querystring: UnbilledQuery } }, async (request, reply) => {
    const { after, limit = pageSize } = request.query
    const [month, installationId] = after?.split('~') ?? []
    const place = month && installationId ? { month, installationId } : null
    const { months, next } = await pageOfUnbilled(contextOf(deps, request), place, limit)
    const response: UnbilledResponse = {
      months: months.map((one) => ({ ...one, at: one.at.toISOString() })),
      next: next && `${next.month}~${next.installationId}`,
    }
    return sendJson(reply, JSON.stringify(response))
  })

  app.get('/billing/runs', async (request, reply) => {
    const runs = await lastRuns(contextOf(deps, request))
    return sendJson(reply, JSON.stringify({ runs: runs.map(runResponse) }))
  })

  app.post('/billing/runs', { schema: { body: RunBody } }, async (request, reply) => {
    const run = await orderRun(contextOf(deps, request), request.body.month)
    return sendJson(reply, JSON.stringify(runResponse(run)))
  })

  app.get(
    '/billing/runs/:id',
    { schema: { params: IdParams, querystring: RunQuery } },
    async (request, reply) => {
      const { outcome, after = '', limit = pageSize } = request.query
      const report = await readRun(contextOf(deps, request), request.params.id, { outcome, after, limit })
      const response: RunRead = { ...report, run: runResponse(report.run) }
      return sendJson(reply, JSON.stringify(response))
    },
  )
}
