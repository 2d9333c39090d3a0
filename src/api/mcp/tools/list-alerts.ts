import Type from 'typebox'
import { scopeOf } from '../../../domain/kernel/context.ts'
import { notFound } from '../../../domain/kernel/domain-error.ts'
import { readOfInstallation } from '../../../domain/kernel/installation-lists.ts'
import { alertStatuses, alertTypes, severities } from '../../../domain/sites/alerts/alert.ts'
import { alertList, alertsOfInstallation } from '../../../domain/sites/alerts/queries.ts'
import { findInstallationOwner } from '../../../domain/sites/installations/queries.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { nextPage, numberedPaging, pageAsked } from '../numbered.ts'
import { readingTool } from '../tool.ts'
import { choice, Holds, id, records } from '../words.ts'

export const listAlerts = readingTool({
  name: 'list_alerts',
  title: 'List alerts',
  description:
    'What is wrong with panels, the newest first, with what to do about it. Active ones when `status` is absent. Handle one with handle_alert.',
  of: 'catalog',
  input: Fields({
    status: optional(choice(alertStatuses, '`active` when absent')),
    severity: optional(choice(severities, 'Only of this severity')),
    type: optional(choice(alertTypes, 'Only of this type')),
    installation_id: optional(id('Only of this installation')),
    ...numberedPaging,
  }),
  output: Holds({
    alerts: records(
      'As GET /catalog/v1/monitoring/alerts reads them; texts that hold customers’ names under `untrusted`',
    ),
    total: Type.Integer({ description: 'How many there are' }),
    next_page: nextPage,
  }),
  async read({ deps, ctx }, { status = 'active', severity, type, installation_id: of, ...asked }) {
    const scope = scopeOf(ctx)
    const { page, nextOf } = pageAsked(asked)
    const filter = { status, severity, type }
    if (of !== undefined && (await findInstallationOwner(ctx.db, scope, of)) === null)
      throw notFound('installation')
    const { records, total } =
      of === undefined
        ? await deps.numberedPage(ctx.db, alertList, scope, filter, page)
        : await readOfInstallation(ctx.db, alertsOfInstallation, scope, of, filter, page)
    return {
      alerts: (JSON.parse(`[${records}]`) as object[]).map(alertApart),
      total,
      next_page: nextOf(total),
    }
  },
})

/** An installation is called by its customer's name, which stands in the words of its alerts. */
export function alertApart(alert: object): object {
  const { title, description, ...rest } = alert as Record<string, unknown>
  return { ...rest, untrusted: { title, description } }
}
