import type { FastifyInstance } from 'fastify'
import { changeGoods, priceChangedGoods } from '../../domain/deals/sale/change-goods.ts'
import { sendJson } from '../http/send-json.ts'
import type { Parts } from '../parts.ts'
import { GoodsBody, GoodsPriceBody, goodsOf } from './goods-requests.ts'
import { ProjectParams } from './project-requests.ts'
import { priceShown } from './sales.ts'
import { contextOf } from './sessions.ts'

/** A project's system or products after the sale: what a change comes to, and the change itself. */
export function goodsRoutes(app: FastifyInstance, parts: Parts): void {
  app.post<{ Params: { id: string }; Body: GoodsPriceBody }>(
    '/projects/:id/goods/price',
    { schema: { params: ProjectParams, body: GoodsPriceBody } },
    async (request, reply) => {
      const priced = await priceChangedGoods(
        contextOf(parts, request),
        request.params.id,
        goodsOf(request.body),
      )
      return sendJson(reply, JSON.stringify(priceShown({ ...priced, financing: null })))
    },
  )

  app.put<{ Params: { id: string }; Body: GoodsBody }>(
    '/projects/:id/goods',
    { schema: { params: ProjectParams, body: GoodsBody } },
    async (request, reply) => {
      const { seen, ...goods } = request.body
      const changed = await changeGoods(contextOf(parts, request), request.params.id, goodsOf(goods), seen)
      return sendJson(reply, JSON.stringify(changed))
    },
  )
}
