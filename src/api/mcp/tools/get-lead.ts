import { listActivities } from '../../../domain/deals/activities/queries.ts'
import { readLead } from '../../../domain/deals/leads/queries.ts'
import { withBaseUrl } from '../../../domain/deals/renderings/rendering.ts'
import { confinedTo } from '../../../domain/kernel/context.ts'
import { notFound } from '../../../domain/kernel/domain-error.ts'
import { Fields } from '../../http/schema-words.ts'
import { readingTool } from '../tool.ts'
import { apart, cut } from '../untrusted.ts'
import { Holds, id, next, paging, record, records } from '../words.ts'

export const getLead = readingTool({
  name: 'get_lead',
  title: 'Read a lead with its activity',
  description:
    'A lead with the newest entries of its activity (notes, moves, messages), which its project shares. Read older entries on with `cursor`.',
  of: 'company',
  input: Fields({ id: id('The lead’s id or reference'), ...paging }),
  output: Holds({
    lead: record('As GET /v1/leads/{id} reads it, with the customer’s text under `untrusted`'),
    activity: records(
      'Newest first: id, type, createdAt, internal; what it says and who wrote it under `untrusted`',
    ),
    next,
  }),
  async read({ deps, ctx }, { id: key, limit = 10, cursor }) {
    const { actor, db } = ctx
    const lead = await readLead(db, actor.installerId, confinedTo(actor), key)
    if (!lead) throw notFound('lead')
    const binding = ['mcp', 'activities', actor.companyId, lead.id, limit]
    const before = cursor === undefined ? null : deps.cursors.read(cursor, binding)
    const feed = { installerId: actor.installerId, leadId: lead.id, internalOf: actor.companyId }
    const { activities, next } = await listActivities(db, feed, before, limit)
    return {
      lead: apart(JSON.parse(withBaseUrl(lead.rendering, deps.addresses.baseUrl))),
      activity: activities.map(({ body, author, ...entry }) => ({
        ...entry,
        untrusted: { author, body: cut(body) },
      })),
      next: next && deps.cursors.write(next, binding),
    }
  },
})
