import Type, { type TSchema } from 'typebox'
import { folders } from '../../domain/kernel/folder.ts'
import { ErrorAnswer } from '../http/error-schema.ts'
import { Answer, oneOf, orNull, ref, text } from '../http/schema-words.ts'
import { BatchResults } from './batch-schemas.ts'
import { Adder, Equipment } from './catalogue-schemas.ts'
import { eventSchemas } from './event-schemas.ts'
import {
  activityExample,
  adderExample,
  equipmentExample,
  leadExample,
  projectRowExample,
} from './examples.ts'
import { Checklist, ProjectFile, ProjectFilePage } from './file-schemas.ts'
import { Activity, Lead, LeadCreated } from './lead-schemas.ts'
import { KeyInfo } from './me.ts'
import { Member, memberExample } from './members.ts'
import { Financing, Project, ProjectRow, System } from './project-schemas.ts'
import { Stage, stageExample } from './stages.ts'

const contact = {
  firstName: orNull(text(), 'First name'),
  lastName: orNull(text(), 'Last name'),
  email: orNull(text(), 'Email address'),
  phone: orNull(text(), 'As it was given'),
}
const Contact = Answer(contact, { $id: 'Contact', description: 'A homeowner.' })
const Staff = Answer(
  {
    name: orNull(text(), 'First and last name'),
    email: orNull(text(), 'Email address'),
    phone: orNull(text(), 'As it was given'),
  },
  { $id: 'Staff', description: "A member of the company's team." },
)
const Address = Answer(
  {
    line1: orNull(text(), 'Street and number'),
    line2: orNull(text(), 'What else, such as a unit'),
    city: orNull(text(), 'City'),
    state: orNull(text(), 'State, in two letters where it is one of the United States'),
    postalCode: orNull(text(), 'Postal code'),
    country: orNull(text('Two-letter code')),
  },
  { $id: 'Address', description: 'Where the house stands.' },
)

const StageMoved = Answer(
  {
    changed: Type.Boolean({ description: 'False where it stood there already' }),
    stage: text("The stage's name"),
  },
  {
    $id: 'StageMoved',
    description: 'Where the project stands now.',
    examples: [{ changed: true, stage: 'Permitting' }],
  },
)
const Changed = Answer(
  { changed: Type.Boolean({ description: 'False where it was so already' }) },
  { $id: 'Changed', description: 'Whether anything changed.', examples: [{ changed: true }] },
)
const FilesAdded = Answer(
  {
    files: Type.Array(
      Answer({
        id: text('The file’s id'),
        name: text('What it is called'),
        folder: oneOf(folders, { description: 'Where it is' }),
        added: Type.Boolean({ description: 'False where the folder held the address already' }),
      }),
      { description: 'One for each address, in the order in which they were sent' },
    ),
  },
  {
    $id: 'FilesAdded',
    description: 'What became of the addresses.',
    examples: [
      {
        files: [{ id: 'file_01m7eg5y2a01n1c4d7b6q8se', name: 'plan.pdf', folder: 'planset', added: true }],
      },
    ],
  },
)
const page = (id: string, item: string, example: object) =>
  Answer(
    {
      data: Type.Array(ref(item), { description: 'The records of this page' }),
      next: orNull(text(), 'Cursor of the next page; null at the end'),
    },
    { $id: id, description: 'A page of a list.', examples: [{ data: [example], next: null }] },
  )
const list = (id: string, item: string, example: object) =>
  Answer(
    { data: Type.Array(ref(item), { description: 'All of them' }) },
    { $id: id, description: 'A list.', examples: [{ data: [example] }] },
  )

const projectPage = Answer(
  {
    data: Type.Array(
      Type.Unsafe({
        anyOf: [ref('ProjectRow'), ref('Project')],
        description: 'A row, or with `expand=project` the whole project',
      }),
      { description: 'The records of this page' },
    ),
    next: orNull(text(), 'Cursor of the next page; null at the end'),
  },
  {
    $id: 'ProjectPage',
    description: 'A page of a list.',
    examples: [{ data: [projectRowExample], next: null }],
  },
)

export const answerSchemas: TSchema[] = [
  Contact,
  Staff,
  Address,
  ProjectRow,
  Financing,
  System,
  Project,
  Lead,
  LeadCreated,
  Activity,
  Adder,
  Equipment,
  KeyInfo,
  Stage,
  Member,
  StageMoved,
  Changed,
  FilesAdded,
  ProjectFile,
  ProjectFilePage,
  Checklist,
  BatchResults,
  ErrorAnswer,
  projectPage,
  page('LeadPage', 'Lead', leadExample),
  page('ActivityPage', 'Activity', activityExample),
  page('MemberPage', 'Member', memberExample),
  list('StageList', 'Stage', stageExample),
  list('AdderList', 'Adder', adderExample),
  list('EquipmentList', 'Equipment', equipmentExample),
  ...eventSchemas,
]
