import Type from 'typebox'
import { activityTypes } from '../../domain/deals/activities/activity.ts'
import { leadStatuses } from '../../domain/deals/leads/lead.ts'
import { productLines } from '../../domain/kernel/tenant/stage.ts'
import { Answer, number, oneOf, orNull, ref, refOrNull, text, timestamp } from '../http/schema-words.ts'
import { activityExample, leadExample } from './examples.ts'

export const Lead = Answer(
  {
    id: text("The service's own id"),
    reference: orNull(text(), '10-character UID carried over from an older system'),
    productLine: oneOf(productLines),
    status: oneOf(leadStatuses, { description: '`sold` exactly when `project` is not null' }),
    archived: Type.Boolean({
      description:
        'Also true where the customer was erased: then `customer`, `address` and the like are null for good',
    }),
    createdAt: orNull(timestamp()),
    updatedAt: orNull(
      timestamp(),
      'Unique and strictly increasing within an installer: keep the newest and send it as updatedSince',
    ),
    customer: ref('Contact'),
    coBorrower: refOrNull('Contact'),
    address: ref('Address'),
    utility: Answer({ name: orNull(text()), monthlyBill: orNull(number('Dollars')) }),
    source: Answer({ name: orNull(text()), subSource: orNull(text()) }),
    externalId: orNull(text(), "The caller's own id, as sent on create"),
    notes: orNull(text()),
    salesRep: refOrNull('Staff'),
    setter: refOrNull('Staff'),
    project: Type.Union([Answer({ id: text(), reference: orNull(text()) }), Type.Null()], {
      description: 'Null until the customer bought',
    }),
    links: Answer({ record: Type.String({ format: 'uri' }) }),
  },
  { $id: 'Lead', description: 'A customer, before and after they bought.', examples: [leadExample] },
)

export const LeadCreated = Answer(
  {
    leadId: text(),
    created: Type.Boolean({ description: 'False where the externalId was known already' }),
    unassigned: Type.Array(text(), {
      description: "The rep's or setter's emails that are no active member's",
    }),
  },
  {
    $id: 'LeadCreated',
    examples: [{ leadId: 'lead_01jcq5d8m0b6x7v2k9fz3h4t1w', created: true, unassigned: [] }],
  },
)
export const Activity = Answer(
  {
    id: text(),
    type: oneOf(activityTypes),
    body: text(),
    internal: Type.Boolean({ description: "Only the company's admins see it" }),
    customerFacing: Type.Boolean(),
    replyTo: orNull(text()),
    author: orNull(text()),
    createdAt: orNull(timestamp()),
  },
  { $id: 'Activity', description: 'An entry of a lead’s feed.', examples: [activityExample] },
)
