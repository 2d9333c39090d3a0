import type { Context } from '../../domain/kernel/context.ts'
import type { ProductLine, StageMessage } from '../../domain/kernel/tenant/stage.ts'
import { addStage } from '../../domain/tenants/ladders/add-stage.ts'
import { orderStages } from '../../domain/tenants/ladders/order-stages.ts'
import { placeholders, previewMessage } from '../../domain/tenants/ladders/preview-message.ts'
import { readLadders } from '../../domain/tenants/ladders/read-ladders.ts'
import { retireStage } from '../../domain/tenants/ladders/retire-stage.ts'
import type { StageFields, StageSetting } from '../../domain/tenants/ladders/stage-setting.ts'
import { updateStage } from '../../domain/tenants/ladders/update-stage.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { NewStageBody, PreviewBody, RetireBody, StageOrderBody, StagePatchBody } from './ladder-requests.ts'
import { contextOf } from './sessions.ts'

export type { StageMessage }

export interface StageSettingResponse extends StageFields {
  id: string
  productLine: ProductLine
  version: number
  /** How many projects stand in it. */
  projects: number
  /** Where its projects go, while it is being retired. */
  leavingTo: string | null
}

export interface LaddersResponse {
  stages: StageSettingResponse[]
  /** What may stand in braces in a message. */
  placeholders: string[]
}

/** The ladders of the installer. Every change answers how they are then. */
export function ladderRoutes(app: Routes, deps: Deps): void {
  const ladders = async (ctx: Context) => {
    const ladders: LaddersResponse = {
      stages: (await readLadders(ctx)).map(stageResponse),
      placeholders: [...placeholders],
    }
    return JSON.stringify(ladders)
  }

  app.get('/ladders', async (request, reply) => sendJson(reply, await ladders(contextOf(deps, request))))

  app.put('/ladders/order', { schema: { body: StageOrderBody } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { productLine, before, after } = request.body
    await orderStages(ctx, productLine, before, after)
    return sendJson(reply, await ladders(ctx))
  })

  app.post('/stages', { schema: { body: NewStageBody } }, async (request, reply) => {
    const id = await addStage(contextOf(deps, request), request.body)
    return sendJson(reply.code(201), JSON.stringify({ id }))
  })

  app.patch('/stages/:id', { schema: { params: IdParams, body: StagePatchBody } }, async (request, reply) => {
    const ctx = contextOf(deps, request)
    const { version, ...patch } = request.body
    await updateStage(ctx, request.params.id, version, patch)
    return sendJson(reply, await ladders(ctx))
  })

  app.post(
    '/stages/:id/retire',
    { schema: { params: IdParams, body: RetireBody } },
    async (request, reply) => {
      const ctx = contextOf(deps, request)
      const { version, to = null, notifyCustomers = false } = request.body
      await retireStage(ctx, request.params.id, { version, to, notifyCustomers })
      return sendJson(reply, await ladders(ctx))
    },
  )

  app.post('/stages/preview', { schema: { body: PreviewBody } }, async (request, reply) => {
    const { message, stage } = request.body
    const mail: StageMessage = await previewMessage(contextOf(deps, request), message, stage)
    return sendJson(reply, JSON.stringify(mail))
  })
}

function stageResponse({ position, retired, emptying, ...stage }: StageSetting): StageSettingResponse {
  return { ...stage, leavingTo: emptying?.to ?? null }
}
