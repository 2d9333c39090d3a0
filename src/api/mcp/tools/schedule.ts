import Type, { type Static } from 'typebox'
import { findProjectDeal } from '../../../domain/deals/changes/deal.ts'
import { type ProjectUpdate, updateProject } from '../../../domain/deals/projects/update-project.ts'
import { scopeOf } from '../../../domain/kernel/context.ts'
import { dayIn } from '../../../domain/kernel/days.ts'
import { DomainError, notFound } from '../../../domain/kernel/domain-error.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { effectsSince, lastEntry } from '../effects.ts'
import { writingTool } from '../tool.ts'
import { id, said, Writing, Written } from '../words.ts'

const dayOrNull = (what: string) =>
  optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date',
      description: `The day of the ${what}, as YYYY-MM-DD; null clears it`,
    }),
  )
const person = (what: string) => optional(said(320, `The email of the ${what}`))

const input = Writing({
  project_id: id('The project’s id or reference'),
  install_date: dayOrNull('install'),
  survey_date: dayOrNull('site survey'),
  ntp_granted: optional(Type.Boolean({ description: 'Whether notice to proceed is granted' })),
  project_manager: person('project manager, who is a member of the installer'),
  site_surveyor: person('site surveyor'),
  subcontractor: person('subcontractor'),
  done: optional(
    Type.Array(
      Fields({
        stage: optional(said(200, 'The present stage when absent')),
        label: said(200, 'As get_project shows it'),
      }),
      { minItems: 1, maxItems: 20, description: 'Items of its checklist to tick off' },
    ),
  ),
})

export const schedule = writingTool({
  name: 'schedule',
  title: 'Schedule a project and clear what blocks it',
  description:
    'Sets the day of a project’s install or survey, its notice to proceed and who works on it, and ticks off its checklist: all of it or nothing. Only the installer’s key.',
  of: 'company',
  needs: 'projects.change',
  destructive: false,
  idempotent: true,
  open: false,
  kept: 'together',
  input,
  output: Written,
  async write({ ctx, caller }, { project_id, ...asked }) {
    const deal = await findProjectDeal(ctx.db, scopeOf(ctx), project_id)
    if (!deal) throw notFound('project')
    const { leadId, stageId } = deal.project
    const before = await lastEntry(ctx, leadId)
    const { changed } = await updateProject(ctx, deal.project.id, updateOf(asked, stageId))
    return {
      changed,
      summary: changed ? 'The project is changed.' : 'The project was so already.',
      effects: changed
        ? [...(await effectsSince(ctx, leadId, before)), ...remarksOn(asked, dayIn(caller.timezone, ctx.now))]
        : [],
      record: { project_id: deal.project.id, lead_id: leadId },
    }
  },
})

/** What is taken as it is, but may well be a slip. */
function remarksOn(
  { install_date, survey_date }: Omit<Static<typeof input>, 'project_id'>,
  today: string,
): string[] {
  const days = { install: install_date, 'site survey': survey_date }
  return Object.entries(days).flatMap(([what, day]) =>
    day && day < today ? `The day of the ${what}, ${day}, is in the past: today is ${today}` : [],
  )
}

function updateOf(asked: Omit<Static<typeof input>, 'project_id'>, stageId: string): ProjectUpdate {
  const { install_date, survey_date, ntp_granted, project_manager, site_surveyor, subcontractor, done } =
    asked
  if (Object.keys(asked).length === 0)
    throw new DomainError(
      'invalid',
      'Say what to change: a day, ntp_granted, a person, or items that are done.',
    )
  return {
    ...(install_date === undefined ? {} : { installDate: install_date }),
    ...(survey_date === undefined ? {} : { surveyDate: survey_date }),
    ...(ntp_granted === undefined ? {} : { ntpGranted: ntp_granted }),
    people: {
      ...(project_manager === undefined ? {} : { projectManager: { email: project_manager } }),
      ...(site_surveyor === undefined ? {} : { siteSurveyor: { email: site_surveyor } }),
      ...(subcontractor === undefined ? {} : { subcontractor: { email: subcontractor } }),
    },
    ...(done
      ? { checklist: done.map(({ stage, label }) => ({ stage: stage ?? stageId, label, done: true })) }
      : {}),
  }
}
