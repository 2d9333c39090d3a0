import Type, { type TSchema } from 'typebox'
import { folders } from '../../domain/kernel/folder.ts'
import { ErrorAnswer } from '../http/error-schema.ts'
import { Answer, oneOf, orNull, ref, text } from '../http/schema-words.ts'
import { Adder, Equipment } from './catalogue-schemas.ts'
import {
  activityExample,
  adderExample,
  equipmentExample,
  leadExample,
  projectRowExample,
} from './examples.ts'
import { Activity, Lead, LeadCreated } from './lead-schemas.ts'
import { Financing, Project, ProjectRow, System } from './project-schemas.ts'

const contact = {
  firstName: orNull(text()),
  lastName: orNull(text()),
  email: orNull(text()),
  phone: orNull(text()),
}
const Contact = Answer(contact, { $id: 'Contact', description: 'A homeowner.' })
const Staff = Answer(
  { name: orNull(text()), email: orNull(text()), phone: orNull(text()) },
  { $id: 'Staff', description: "A member of the company's team." },
)
const Address = Answer(
  {
    line1: orNull(text()),
    line2: orNull(text()),
    city: orNull(text()),
    state: orNull(text()),
    postalCode: orNull(text()),
    country: orNull(text('Two-letter code')),
  },
  { $id: 'Address', description: 'Where the house stands.' },
)

const KeyInfo = Answer(
  {
    key: Answer({ name: text(), prefix: text('psk_ and the first 8 digits') }),
    company: Answer({ name: text() }),
  },
  {
    $id: 'KeyInfo',
    examples: [{ key: { name: 'CRM sync', prefix: 'psk_1a2b3c4d' }, company: { name: 'Solar Co' } }],
  },
)
const StageMoved = Answer(
  { changed: Type.Boolean(), stage: text("The stage's name") },
  { $id: 'StageMoved', examples: [{ changed: true, stage: 'Permitting' }] },
)
const Changed = Answer({ changed: Type.Boolean() }, { $id: 'Changed', examples: [{ changed: true }] })
const FilesAdded = Answer(
  {
    files: Type.Array(
      Answer({
        id: text(),
        name: text(),
        folder: oneOf(folders),
        added: Type.Boolean({ description: 'False where the folder held the address already' }),
      }),
    ),
  },
  {
    $id: 'FilesAdded',
    examples: [
      {
        files: [{ id: 'file_01jcq5d8m0b6x7v2k9fz3h4t1w', name: 'plan.pdf', folder: 'planset', added: true }],
      },
    ],
  },
)
const page = (id: string, item: string, example: object) =>
  Answer(
    { data: Type.Array(ref(item)), next: orNull(text(), 'Cursor of the next page; null at the end') },
    { $id: id, examples: [{ data: [example], next: null }] },
  )
const list = (id: string, item: string, example: object) =>
  Answer({ data: Type.Array(ref(item)) }, { $id: id, examples: [{ data: [example] }] })

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
  StageMoved,
  Changed,
  FilesAdded,
  ErrorAnswer,
  page('ProjectPage', 'ProjectRow', projectRowExample),
  page('LeadPage', 'Lead', leadExample),
  page('ActivityPage', 'Activity', activityExample),
  list('AdderList', 'Adder', adderExample),
  list('EquipmentList', 'Equipment', equipmentExample),
]
