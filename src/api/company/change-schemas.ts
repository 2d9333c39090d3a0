import Type from 'typebox'
import { type LeadStatus, leadLimits, leadStatuses } from '../../domain/deals/leads/lead.ts'
import { type MilestoneKey, milestoneKeys } from '../../domain/kernel/tenant/stage.ts'
import { decimalNumber } from '../http/exact-numbers.ts'
import { Fields, oneOf, optional, textOrNull } from '../http/schema-words.ts'
import { person } from './person-schema.ts'

const nameOrNull = (description: string) => optional(textOrNull({ maxLength: leadLimits.name, description }))

/** What else of a lead can be changed, besides its customer. */
export const leadFields = {
  status: optional(
    oneOf<LeadStatus>(leadStatuses, {
      description:
        'Where the sale stands. A lead becomes `sold` by `POST /v1/leads/{id}/sale` only, and a sold one stays so',
    }),
  ),
  archived: optional(Type.Boolean({ description: 'Out of sight in the console, or brought back' })),
  salesRep: optional(person('Who sells it, an active member of the lead’s company or of the installer')),
  setter: optional(person('Who set the appointment, by the same rule')),
  source: optional(
    Fields(
      {
        name: nameOrNull('Where the lead came from; empty text or null clears it'),
        subSource: nameOrNull('Which part of that; empty text or null clears it'),
      },
      { description: 'An absent part is kept' },
    ),
  ),
  utility: optional(
    Fields(
      {
        name: nameOrNull('The company that sells them energy; empty text or null clears it'),
        monthlyBill: optional(decimalNumber(10, 2, 'What they pay it in a month, in dollars')),
      },
      { description: 'An absent part is kept' },
    ),
  ),
}
const maxTicks = 100

/** Taken because a reading has it. */
const readOnly = (what: string) =>
  textOrNull({ maxLength: leadLimits.name, description: `${what}, as it is read; changes nothing` })

const day = (key: MilestoneKey) =>
  textOrNull({
    format: 'date',
    description: more[key] ?? 'The day, null where it is not known after all',
    // It becomes an instant, which stays where every reader of instants can follow.
    ...(key === 'contractSigned'
      ? { pattern: '^(19|20)', 'x-message': 'must be a day from 1900 to 2099' }
      : {}),
  })

const more: Partial<Record<MilestoneKey, string>> = {
  contractSigned: 'Also the day of `contract.signedAt`',
  siteSurveyScheduled: 'Places the survey on the calendar; null takes it off',
  installScheduled: 'The same as `installDate`',
}

const milestones = Fields(
  Object.fromEntries(milestoneKeys.map((key) => [key, optional(day(key))])) as Record<
    MilestoneKey,
    ReturnType<typeof optional<ReturnType<typeof day>>>
  >,
  { description: 'Days by their key; an absent one is kept' },
)

/** What else of a project can be changed, besides its install date and notice to proceed. */
export const projectFields = {
  milestones: optional(milestones),
  salesRep: optional(person('Who sold it, an active member of the lead’s company or of the installer')),
  setter: optional(person('Who set the appointment, by the same rule')),
  projectManager: optional(person('Who runs the project, an active member of the installer')),
  siteSurveyor: optional(person('Who surveys the site, an active member of the installer')),
  subcontractor: optional(person('Who builds it, an active member of the installer')),
  checklist: optional(
    Type.Array(
      Fields({
        stage: optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'Name or id of the stage; not needed where only one has an item of this label',
          }),
        ),
        label: Type.String({ minLength: 1, maxLength: 500, description: 'As the checklist reads it' }),
        done: Type.Boolean({ description: 'Whether it is done' }),
        stageId: optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'Id of the stage; goes before `stage`' }),
        ),
        doneAt: optional(readOnly('When it was ticked')),
        doneBy: optional(readOnly('Who ticked it')),
      }),
      {
        minItems: 1,
        maxItems: maxTicks,
        description: 'Items of `GET /v1/projects/{id}/checklist`, as they are read or with less in them',
      },
    ),
  ),
}
