import { project as texts } from '../../texts/en/project.ts'
import { classes } from '../../ui/classes.ts'
import { DayPicker } from '../../ui/day-picker.tsx'
import { formatDay } from '../../ui/format.ts'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { useProjectField } from './use-field.ts'
import type { ProjectResponse } from './use-project.ts'

type Milestone = keyof typeof texts.milestoneNames
const all = Object.keys(texts.milestoneNames) as Milestone[]

/** Where no system is built, nobody waits for these. */
const ofSolar: Milestone[] = [
  'plansetCompleted',
  'interconnectionSubmitted',
  'interconnectionApproved',
  'ptoGranted',
]

/** Days that more hangs on are set by a field of their own. */
const fields: Partial<Record<Milestone, string>> = {
  installScheduled: 'installDate',
  siteSurveyScheduled: 'surveyDate',
  contractSigned: 'contractSignedOn',
}

export function MilestonesCard({ project }: { project: ProjectResponse }) {
  const { milestones, can } = project
  const setField = useProjectField(project)
  const open = (key: Milestone) => can.run && (project.productLine === 'solar' || !ofSolar.includes(key))
  const shown = all.filter((key) => milestones[key] || open(key))
  const set = (key: Milestone, day: string | null) => {
    const field = fields[key]
    setField({
      field: field ?? `milestones.${key}`,
      // The contract keeps its own day, which the milestone need not be.
      seen: key === 'contractSigned' ? project.contract?.signedOn : (milestones[key] ?? null),
      label: texts.milestoneNames[key],
      words: formatDay,
      body: field ? { [field]: day } : { milestones: { [key]: day } },
      expect: (before) => ({ ...before, milestones: { ...before.milestones, [key]: day ?? undefined } }),
    })
  }
  if (shown.length === 0) return null
  return (
    <Card>
      <CardHeader title={texts.milestones} />
      <ul className="px-5 pb-4">
        {shown.map((key) => {
          const day = milestones[key] ?? null
          const label = texts.milestoneNames[key]
          return (
            <li key={key} className="-mr-2.5 flex min-h-10 items-center gap-3">
              <span
                aria-hidden
                className={classes(
                  'size-2 shrink-0 rounded-full',
                  day ? 'bg-action' : 'border border-line-strong',
                )}
              />
              <span className={classes('min-w-0 flex-1 leading-tight', !day && 'text-ink-soft')}>
                {label}
              </span>
              {can.run ? (
                <DayPicker
                  quiet
                  label={label}
                  value={day}
                  empty={texts.setDay}
                  onChange={(chosen) => set(key, chosen)}
                />
              ) : (
                day && <span className="mr-2.5">{formatDay(day)}</span>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
