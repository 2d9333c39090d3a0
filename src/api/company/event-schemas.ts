import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { maxEvents } from '../../domain/delivery/feed/queries.ts'
import { type EventName, eventNames } from '../../domain/journal/events/event-names.ts'
import { folders } from '../../domain/kernel/folder.ts'
import { Answer, Fields, oneOf, optional, orNull, ref, text, timestamp } from '../http/schema-words.ts'
import { leadExample } from './examples.ts'
import { Lead } from './lead-schemas.ts'
import { Project } from './project-schemas.ts'

export const EventsQuery = Fields({
  after: optional(
    Type.String({
      maxLength: 200,
      description:
        'Where to go on: the `next` of the page before, or the `id` of an event. `now` begins at the end; when absent, it begins with the oldest event that is kept, for at least 90 days',
    }),
  ),
  types: optional(
    Type.String({
      maxLength: 2000,
      description: `Only these, separated by commas; \`lead.*\` stands for all of leads. There are ${eventNames.join(', ')}`,
      examples: ['lead.created,project.*'],
    }),
  ),
  limit: optional(
    Type.Integer({ minimum: 1, maximum: maxEvents, default: 50, description: 'Events per page' }),
  ),
})
export type EventsQuery = Static<typeof EventsQuery>

const eventExample = {
  id: 'evt_019a8f3c21040000egddcx026j',
  version: 1763364315396,
  type: 'lead.created',
  at: '2026-11-17T07:25:15.396Z',
  actor: { kind: 'key', id: 'key_01m7egddcx026jrjpbagkdnn', name: 'CRM sync' },
  record: { type: 'lead', id: leadExample.id, leadId: leadExample.id },
  previous: {},
  data: leadExample,
}

const named = (...prefixes: string[]) =>
  eventNames.filter((name) => prefixes.includes(name.split('.')[0]!)) as EventName[]
const groups = {
  LeadEvent: named('lead'),
  ProjectEvent: named('project'),
  ActivityEvent: named('note', 'message', 'proposal', 'team', 'checklist'),
  WithdrawnEvent: named('activity'),
  FileEvent: named('file'),
}
const others = eventNames.filter((name) => !Object.values(groups).some((names) => names.includes(name)))

const erased = optional(
  Type.Boolean({ description: 'True where the customer was erased: forget them too. Absent otherwise' }),
)

/** An event of some types; only what its data is differs. */
const eventOf = (id: string, types: readonly EventName[], description: string, data: TSchema) =>
  Answer(
    {
      id: text('Also the `webhook-id` under which endpoints are sent it'),
      version: Type.Integer({
        description:
          'Of the record: grows with every change of it, so what is older than you have can be dropped',
      }),
      type: oneOf(types, { description: 'What happened' }),
      at: timestamp('When it happened'),
      actor: ref('EventActor'),
      record: ref('EventRecord'),
      previous: Type.Unsafe({
        type: 'object',
        description: 'The fields of `data` that this change made otherwise, each as it was',
      }),
      data,
    },
    { $id: id, description },
  )

const EventActor = Answer(
  {
    kind: oneOf(['key', 'member', 'job'], { description: 'A company key, a person, or the system itself' }),
    id: orNull(text(), 'Of the key or the person'),
    name: orNull(text(), 'As an activity shows it'),
  },
  { $id: 'EventActor', description: 'Who did it.' },
)
const recordTypes = 'lead project activity file panel installation alert invoice credit'.split(' ')
const EventRecord = Answer(
  {
    type: oneOf(recordTypes, { description: 'What kind of record it is' }),
    id: text('Of the record that the event is about'),
    leadId: orNull(text(), 'The lead that it belongs to, where it belongs to one'),
  },
  { $id: 'EventRecord', description: 'What it happened to.' },
)

/** A record as it is read, with a mark where its customer was erased. */
const asRead = ($id: string, record: TSchema, description: string) =>
  Type.Object({ ...(record as TObject).properties, erased }, { $id, description })

const LeadData = asRead('LeadEventData', Lead, 'The lead as `GET /v1/leads/{id}` read it then.')
const ProjectData = asRead(
  'ProjectEventData',
  Project,
  'The project as `GET /v1/projects/{id}` read it then.',
)
const ActivityData = Type.Object(
  {
    id: text('Of the entry in the lead’s activity'),
    type: text('As `GET /v1/leads/{id}/activities` has it'),
    body: text('What it says'),
    internal: Type.Boolean({ description: 'Told to the company alone that wrote it' }),
    customerFacing: Type.Boolean({ description: 'The customer sees it' }),
    replyTo: orNull(text(), 'The note that it answers'),
    author: orNull(text(), 'Who wrote it'),
    createdAt: timestamp('When it was written'),
    leadId: text('Whose activity it is in'),
    projectId: orNull(text(), 'The lead’s project, where it has one'),
    item: optional(
      Answer(
        {
          stage: orNull(text(), 'The stage whose checklist it is on'),
          label: text('What is to be done'),
          done: Type.Boolean({ description: 'False where it was taken back' }),
        },
        { description: 'Of `checklist.updated`: what was ticked' },
      ),
    ),
    erased,
  },
  { $id: 'ActivityEventData', description: 'An entry of a lead’s activity.' },
)
const WithdrawnData = Type.Object(
  {
    id: text('Of the entry that is no more'),
    leadId: text('In whose activity it was'),
    projectId: orNull(text(), 'The lead’s project, where it had one'),
    erased,
  },
  { $id: 'WithdrawnEventData', description: 'An entry of a lead’s activity that was taken back.' },
)
const FileData = Type.Object(
  {
    id: text('Of the file'),
    name: optional(text('As it is called; absent where the customer was erased')),
    folder: optional(oneOf(folders, { description: 'Where it is; absent where the customer was erased' })),
    url: optional(text('Where it is served, as long as it is there')),
    project_id: text('The project that it belongs to; spelled as webhooks have always had it'),
    erased,
  },
  { $id: 'FileEventData', description: 'A file of a project.' },
)
const CatalogueData = Type.Object(
  { id: text('Of the record') },
  {
    $id: 'CatalogueEventData',
    additionalProperties: true,
    description:
      'A panel, installation, alert, invoice or credit as the catalogue API reads it; what its webhooks are sent is described there.',
  },
)

export const eventSchemas: TSchema[] = [
  EventActor,
  EventRecord,
  LeadData,
  ProjectData,
  ActivityData,
  WithdrawnData,
  FileData,
  CatalogueData,
  eventOf('LeadEvent', groups.LeadEvent, 'Of a lead.', ref('LeadEventData')),
  eventOf('ProjectEvent', groups.ProjectEvent, 'Of a project.', ref('ProjectEventData')),
  eventOf(
    'ActivityEvent',
    groups.ActivityEvent,
    'Something that stands in a lead’s activity and changes no record: a note or a reply, a message to the customer, that they opened the proposal, that people were alerted, an item of a checklist.',
    ref('ActivityEventData'),
  ),
  eventOf(
    'WithdrawnEvent',
    groups.WithdrawnEvent,
    'A message or an alert that was taken back, as the move or the sale that had made it was undone.',
    ref('WithdrawnEventData'),
  ),
  eventOf('FileEvent', groups.FileEvent, 'Of a file.', ref('FileEventData')),
  eventOf('CatalogueEvent', others, 'Of a record of the catalogue API.', ref('CatalogueEventData')),
  Type.Unsafe({
    $id: 'Event',
    description: 'Something that happened. Its `type` says what `data` is.',
    oneOf: [...Object.keys(groups), 'CatalogueEvent'].map((id) => ({ $ref: `${id}#` })),
    examples: [eventExample],
  }),
  Answer(
    {
      data: Type.Array(ref('Event'), { description: 'From the oldest' }),
      next: text('Where to go on: send it as `after`. It is there on every page'),
    },
    {
      $id: 'EventPage',
      description: 'A page of the feed.',
      examples: [{ data: [eventExample], next: 'mhyk2x1c-0.Zk3vT0c9q1dVb8n2YwXr4A' }],
    },
  ),
]
