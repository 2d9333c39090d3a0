import { api } from '../../api/client.ts'
import { project as texts } from '../../texts/en/project.ts'
import { DayPicker } from '../../ui/day-picker.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { formatDay } from '../../ui/format.ts'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { Fact, Facts } from './facts.tsx'
import { type ProjectShown, useProjectChange } from './use-project.ts'

const days = [
  ['installDate', 'installScheduled', texts.installDate],
  ['surveyDate', 'siteSurveyScheduled', texts.surveyDate],
] as const

/** The days that others wait for, and whether the work may begin. */
export function ScheduleCard({ project }: { project: ProjectShown }) {
  const { can, milestones, ntpGranted } = project
  const change = useProjectChange(project)
  const patch = (body: object, seen: object, expected: Partial<ProjectShown>) =>
    change.mutate({
      send: () => api.patch(`/projects/${project.id}`, { ...body, seen: change.isPending ? {} : seen }),
      expect: (shown) => ({ ...shown, ...expected }),
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
                    patch(
                      { [field]: chosen },
                      { [field]: day },
                      { milestones: { ...milestones, [key]: chosen ?? undefined } },
                    )
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
              onChange={() => patch({ ntpGranted: !ntpGranted }, {}, { ntpGranted: !ntpGranted })}
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
