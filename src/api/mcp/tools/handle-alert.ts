import { scopeOf } from '../../../domain/kernel/context.ts'
import { acknowledgeAlert, resolveAlert } from '../../../domain/sites/alerts/handle-alert.ts'
import { findAlert } from '../../../domain/sites/alerts/queries.ts'
import { writingTool } from '../tool.ts'
import { choice, id, Writing, Written } from '../words.ts'

const actions = ['acknowledge', 'resolve'] as const

export const handleAlert = writingTool({
  name: 'handle_alert',
  title: 'Acknowledge or resolve an alert',
  description:
    'Acknowledge says that somebody looks after it; resolve, that it is mended. If the fault is still measured after that, a new alert is opened.',
  of: 'catalog',
  needs: 'alerts.acknowledge',
  destructive: false,
  idempotent: true,
  open: false,
  kept: 'together',
  input: Writing({ alert_id: id('The alert’s id'), action: choice(actions, 'What to do') }),
  output: Written,
  async write({ ctx }, { alert_id, action }) {
    const there = await findAlert(ctx.db, scopeOf(ctx), alert_id)
    if (there?.status === (action === 'resolve' ? 'resolved' : 'acknowledged'))
      return {
        changed: false,
        summary: `The alert is ${there.status} already.`,
        effects: [],
        record: { alert_id: there.id, status: there.status, installation_id: there.installationId },
      }
    const { id, status, installation_id } = await (action === 'resolve' ? resolveAlert : acknowledgeAlert)(
      ctx,
      alert_id,
    )
    return {
      changed: true,
      summary: `The alert is ${status}.`,
      effects: [`Endpoints that listen to alert.${status} are told`],
      record: { alert_id: id, status, installation_id },
    }
  },
})
