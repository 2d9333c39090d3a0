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
    productLine: oneOf(productLines, { description: 'What they are interested in' }),
    status: oneOf(leadStatuses, { description: '`sold` exactly when `project` is not null' }),
    archived: Type.Boolean({
      description:
        'Also true where the customer was erased: then `customer`, `address` and the like are null for good',
    }),
    createdAt: orNull(timestamp(), 'When it came to be'),
    updatedAt: orNull(
      timestamp(),
      'Unique and strictly increasing within an installer: keep the newest and send it as updatedSince',
    ),
    customer: ref('Contact'),
    coBorrower: refOrNull('Contact', 'Who signs with them; null where nobody does'),
    address: ref('Address'),
    utility: Answer(
      { name: orNull(text(), 'Who delivers their power'), monthlyBill: orNull(number('Dollars')) },
      { description: 'What they pay for power' },
    ),
    source: Answer(
      {
        name: orNull(text(), 'Such as a campaign'),
        subSource: orNull(text(), 'Such as a part of the campaign'),
      },
      { description: 'Where the lead came from' },
    ),
    externalId: orNull(text(), "The caller's own id, as sent on create"),
    notes: orNull(text(), 'What is known about the customer'),
    salesRep: refOrNull('Staff', 'Who sells; null where nobody is assigned'),
    setter: refOrNull('Staff', 'Who set the appointment; null where nobody did'),
    project: Type.Unsafe({
      anyOf: [
        Answer({
          id: text('The project’s id'),
          reference: orNull(text(), '10-character UID carried over from an older system'),
        }),
        ref('Project'),
        { type: 'null' },
      ],
      description: 'Null until the customer bought; in a list with `expand=project` the whole project',
    }),
    links: Answer(
      { record: Type.String({ format: 'uri', description: 'The lead in the console' }) },
      { description: 'Where people find it' },
    ),
  },
  { $id: 'Lead', description: 'A customer, before and after they bought.', examples: [leadExample] },
)

export const LeadCreated = Answer(
  {
    leadId: text('The lead’s id'),
    created: Type.Boolean({ description: 'False where the externalId was known already' }),
    unassigned: Type.Array(text(), {
      description: "The rep's or setter's emails that are no active member's",
    }),
  },
  {
    $id: 'LeadCreated',
    description: 'The lead that was made, or was there already.',
    examples: [{ leadId: 'lead_01m7eg5y2a01n1c4d7b6q8se', created: true, unassigned: [] }],
  },
)
export const Activity = Answer(
  {
    id: text('The entry’s id'),
    type: oneOf(activityTypes, { description: 'What happened' }),
    body: text('In words'),
    internal: Type.Boolean({ description: "Only the company's admins see it" }),
    customerFacing: Type.Boolean({ description: 'Whether the customer was told' }),
    replyTo: orNull(text(), 'The id of the entry that it answers; null where it answers none'),
    author: orNull(text(), 'Who wrote it or did it'),
    createdAt: orNull(timestamp(), 'When it happened'),
  },
  { $id: 'Activity', description: 'An entry of a lead’s feed.', examples: [activityExample] },
)
