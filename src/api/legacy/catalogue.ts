import type { FastifyInstance } from 'fastify'
import { listAdders, listEquipment } from '../../domain/catalogue/queries.ts'
import { text } from '../../domain/deals/renderings/legacy-text.ts'
import { authorize } from '../../domain/kernel/policy.ts'
import { requireInstallerNamed } from '../../domain/kernel/tenant/require-company.ts'
import type { Deps } from '../deps.ts'
import { answers } from '../http/answers.ts'
import { contextOf } from '../http/authenticate.ts'
import { sendJson } from '../http/send-json.ts'
import { CatalogueQuery, OptionalCatalogueQuery } from './request-schemas.ts'

export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  const catalogue = (
    path: string,
    plural: string,
    answer: string,
    querystring: object,
    list: (installerId: string) => Promise<string>,
  ) =>
    app.get<{ Querystring: OptionalCatalogueQuery }>(
      `/${path}`,
      {
        schema: {
          operationId: path,
          tags: ['Catalogue'],
          summary: `List the installer’s ${plural}`,
          description: 'Only the installer’s key.',
          querystring,
          response: answers({ 200: [answer, `The active ${plural}`] }, [400, 403, 404]),
        },
      },
      async (request, reply) => {
        const ctx = contextOf(deps, request)
        const { installer_id } = request.query
        if (installer_id !== undefined) await requireInstallerNamed(ctx, installer_id)
        authorize(ctx.actor, 'catalogue.read')
        const items = JSON.parse(`[${await list(ctx.actor.installerId)}]`) as Record<string, never>[]
        const data = items.map((item) =>
          Object.fromEntries(Object.entries(item).map(([field, value]) => [field, text(value)])),
        )
        const message = `Active ${plural}: ${data.length}.`
        return sendJson(reply, JSON.stringify({ success: true, message, data }))
      },
    )

  catalogue('fetch_all_panel', 'panels', 'PanelList', CatalogueQuery, (id) =>
    listEquipment(deps.db, { installerId: id, kind: 'panel' }),
  )
  catalogue('fetch_all_inverter', 'inverters', 'InverterList', CatalogueQuery, (id) =>
    listEquipment(deps.db, { installerId: id, kind: 'inverter' }),
  )
  catalogue('fetch_all_adders', 'adders and HI products', 'AdderList', OptionalCatalogueQuery, (id) =>
    listAdders(deps.db, { installerId: id }),
  )
}
