import { ladder as texts } from '../../../texts/en/ladder.ts'
import { project } from '../../../texts/en/project.ts'
import { Field, Select, TextInput } from '../../../ui/field.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { daysAreWrong, type StageForm } from './stage-draft.ts'

interface BasicsCardProps {
  form: StageForm
  onChange: (change: Partial<StageForm>) => void
}

export function BasicsCard({ form, onChange }: BasicsCardProps) {
  return (
    <Card>
      <CardHeader title={texts.basics} />
      <div className="grid gap-4 px-5 pt-1 pb-5 sm:grid-cols-2">
        <Field label={texts.name} className="sm:col-span-2">
          <TextInput
            value={form.name}
            onChange={(event) => onChange({ name: event.target.value })}
            autoComplete="off"
            maxLength={60}
            required
          />
        </Field>
        <Field label={texts.milestone} hint={texts.milestoneHint}>
          <Select
            value={form.milestone ?? ''}
            onChange={({ target: { value } }) =>
              onChange({ milestone: (value || null) as StageForm['milestone'] })
            }
          >
            <option value="">{texts.noMilestone}</option>
            {Object.entries(project.milestoneNames).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label={texts.daysAllowed}
          hint={texts.daysHint}
          error={daysAreWrong(form.daysAllowed) ? texts.daysWrong : null}
        >
          <TextInput
            value={form.daysAllowed}
            onChange={(event) => onChange({ daysAllowed: event.target.value })}
            inputMode="numeric"
            autoComplete="off"
          />
        </Field>
      </div>
    </Card>
  )
}
