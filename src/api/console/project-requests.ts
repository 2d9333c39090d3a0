import Type, { type Static } from 'typebox'
import type { FreeMilestone } from '../../domain/deals/projects/patch-project.ts'
import { type FinancingType, financingTypes } from '../../domain/deals/projects/project.ts'
import { type Folder, folders } from '../../domain/kernel/folder.ts'
import { milestoneKeys } from '../../domain/kernel/tenant/stage.ts'
import { Fields, oneOf, optional, textOrNull } from '../http/schema-words.ts'
import { Seen } from './seen.ts'

const day = textOrNull({ format: 'date' })
/** What becomes an instant stays where every reader of instants can follow. */
const signingDay = textOrNull({
  format: 'date',
  pattern: '^(19|20)',
  'x-message': 'must be a day from 1900 to 2099',
})
const member = textOrNull({ minLength: 1, maxLength: 64 })
/** Decimals are texts, to stay exact. */
const money = textOrNull({
  pattern: '^\\d{1,12}(\\.\\d{1,2})?$',
  'x-message': 'must be an amount such as 28500.00, as a text',
})
const percent = textOrNull({
  pattern: '^\\d{1,3}(\\.\\d{1,3})?$',
  'x-message': 'must be a percentage such as 5.99, as a text',
})

export const FileParams = Type.Object({ id: Type.String(), fileId: Type.String() })
export type FileParams = Static<typeof FileParams>

export const FolderParams = Type.Object({ id: Type.String(), folder: Type.String() })

// No limits: a name that is empty or too long is told the stages that there are.
const stage = Type.String()
export const StageBody = Fields({
  stage,
  /** Whether the messages of the stage go to the customer, and its alerts to the team; they do where nothing is said. */
  notifyCustomer: optional(Type.Boolean()),
  notifyTeam: optional(Type.Boolean()),
})

export const MoveQuery = Fields({ stage })

export const UndoBody = Fields({ moveId: Type.String({ minLength: 1, maxLength: 64 }) })

const elsewhere: string[] = ['installScheduled', 'siteSurveyScheduled', 'contractSigned']
const freeMilestones = milestoneKeys.filter((key): key is FreeMilestone => !elsewhere.includes(key))

export const ProjectPatchBody = Fields({
  seen: optional(Seen),
  installDate: optional(day),
  surveyDate: optional(day),
  ntpGranted: optional(Type.Boolean()),
  projectManagerId: optional(member),
  siteSurveyorId: optional(member),
  subcontractorId: optional(member),
  notes: optional(Type.String({ maxLength: 20_000 })),
  milestones: optional(Fields(Object.fromEntries(freeMilestones.map((key) => [key, optional(day)])))),
  contractPrice: optional(money),
  contractSignedOn: optional(signingDay),
  financing: optional(
    Fields({
      type: optional(oneOf<FinancingType>(financingTypes)),
      lender: optional(textOrNull({ minLength: 1, maxLength: 200 })),
      amount: optional(money),
      aprPercent: optional(percent),
      termMonths: optional(
        Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: 600 }),
      ),
      monthlyPayment: optional(money),
      dealerFeePercent: optional(percent),
      rate: optional(
        textOrNull({
          pattern: '^\\d{1,8}(\\.\\d{1,4})?$',
          'x-message': 'must be an amount such as 0.1450, as a text',
        }),
      ),
      escalatorPercent: optional(percent),
    }),
  ),
})

export const TickBody = Fields({
  stageId: Type.String({ minLength: 1, maxLength: 64 }),
  label: Type.String({ minLength: 1, maxLength: 500 }),
  done: Type.Boolean(),
})

export const UploadQuery = Fields({
  folder: oneOf<Folder>(folders),
  /** As the disk has it: what is too long for us is shortened. */
  name: Type.String({ minLength: 1, maxLength: 1_000 }),
})
export type UploadQuery = Static<typeof UploadQuery>
