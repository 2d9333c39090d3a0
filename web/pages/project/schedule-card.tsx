import { api } from '../../api/client.ts'
import { project as texts } from '../../texts/en/project.ts'
import { DayPicker } from '../../ui/day-picker.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { formatDay } from '../../ui/format.ts'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { Fact, Facts } from './facts.tsx'
import { useProjectField } from './use-field.ts'
import { type ProjectResponse, useProjectChange } from './use-project.ts'

const days = [
  ['installDate', 'installScheduled', texts.installDate],
  ['surveyDate', 'siteSurveyScheduled', texts.surveyDate],
] as const

/** The days that others wait for, and whether the work may begin. */
export function ScheduleCard({ project }: { project: ProjectResponse }) {
  const { can, milestones, ntpGranted } = project
  const setField = useProjectField(project)
  const change = useProjectChange(project)
  const grant = (granted: boolean) =>
    change.mutate({
      send: () => api.patch(`/projects/${project.id}`, { ntpGranted: granted }),
      expect: (shown) => ({ ...shown, ntpGranted: granted }),
    })
  return (
    <Card>
      <CardHeader title={texts.schedule} />
      <Facts>
        {days.map(([field, key, label]) => {
          const day = milestones[key] ?? null
          return (
            <Fact key={field} label={label}>
              {can.run ? (
                <DayPicker
                  label={label}
                  value={day}
                  empty={texts.chooseDay}
                  onChange={(chosen) =>
                    setField({
                      field,
                      seen: day,
                      label,
                      words: formatDay,
                      body: { [field]: chosen },
                      expect: (shown) => ({
                        ...shown,
                        milestones: { ...shown.milestones, [key]: chosen ?? undefined },
                      }),
                    })
                  }
                />
              ) : day ? (
                formatDay(day)
              ) : (
                texts.noDay
              )}
            </Fact>
          )
        })}
        <Fact label={texts.ntp}>
          {can.run ? (
            <Checkbox
              label={texts.ntpGranted}
              aria-label={texts.ntpLabel}
              checked={ntpGranted}
              onChange={() => grant(!ntpGranted)}
            />
          ) : (
            <Badge tone={ntpGranted ? 'good' : 'plain'}>
              {ntpGranted ? texts.ntpGranted : texts.ntpMissing}
            </Badge>
          )}
        </Fact>
      </Facts>
    </Card>
  )
}
