import { priceChangedItems, updateItems } from '../../domain/deals/sale/update-items.ts'
import type { Deps } from '../deps.ts'
import type { Routes } from '../http/routes.ts'
import { IdParams } from '../http/schema-words.ts'
import { sendJson } from '../http/send-json.ts'
import { ItemsBody, ItemsPriceBody, itemsOf } from './project-item-requests.ts'
import { priceResponse } from './sales.ts'
import { contextOf } from './sessions.ts'

/** A project's system or products after the sale: what a change comes to, and the change itself. */
export function projectItemRoutes(app: Routes, deps: Deps): void {
  app.post(
    '/projects/:id/items/price',
    { schema: { params: IdParams, body: ItemsPriceBody } },
    async (request, reply) => {
      const priced = await priceChangedItems(
        contextOf(deps, request),
        request.params.id,
        itemsOf(request.body),
      )
      return sendJson(reply, JSON.stringify(priceResponse({ ...priced, financing: null })))
    },
  )

  app.put(
    '/projects/:id/items',
    { schema: { params: IdParams, body: ItemsBody } },
    async (request, reply) => {
      const { seen, ...items } = request.body
      const changed = await updateItems(contextOf(deps, request), request.params.id, itemsOf(items), seen)
      return sendJson(reply, JSON.stringify(changed))
    },
  )
}
