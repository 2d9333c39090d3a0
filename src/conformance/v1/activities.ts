import { expectMissing } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { need, notApplicable } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { boolean, nullable, oneOf, type Shape, text, timestamp } from '../shape.ts'
import { type PagedList, pageRules } from './pages.ts'
import { createLead, rows, unknownId } from './records.ts'

/** A lead that much was noted on. */
const notedLead = (kit: Kit): Promise<string> =>
  kit.once('v1 noted lead', async () => {
    if (kit.readOnly) {
      const [row] = await need('a lead', rows(kit, '/leads?limit=100'))
      return row ? String(row['id']) : notApplicable('the server has no leads')
    }
    const id = await createLead(kit, kit.installer, { notes: 'Note 0' })
    for (const i of [1, 2, 3, 4]) await kit.installer.patch(`/leads/${id}`, { notes: `Note ${i}` })
    return id
  })

const feed: PagedList = {
  prefix: 'v1.activities',
  time: 'createdAt',
  path: async (kit) => `/leads/${await notedLead(kit)}/activities`,
  refuses: false,
}

const fields: Record<string, Shape> = {
  id: text,
  type: text,
  body: text,
  internal: boolean,
  customerFacing: boolean,
  replyTo: nullable(text),
  author: nullable(text),
  createdAt: nullable(timestamp),
}

const types = [
  'note',
  'leadCreated',
  'leadUpdated',
  'assigned',
  'projectCreated',
  'stageChanged',
  'installScheduled',
  'ntpChanged',
  'fileAdded',
  'checklistDone',
  'message',
  'alert',
]

const all = async (kit: Kit) => rows(kit, `${await feed.path(kit)}?limit=100`)

export const activityRules: Rule[] = [
  ...pageRules(feed),
  ...fieldRules('v1.activities.fields', 'An activity', fields, all),
  ...fieldRules(
    'v1.activities.decided',
    'An activity, by decision as one of the known values,',
    { type: oneOf(...types) },
    all,
    { decision: true },
  ),
  {
    id: 'v1.activities.missing',
    says: 'The activity of a lead that there is not answers 404 `not_found`.',
    check: async (kit) => expectMissing(await kit.installer.get(`/leads/${unknownId}/activities`)),
  },
]
