import { ladder as texts } from '../../../texts/en/ladder.ts'
import { Checkbox } from '../../../ui/field.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import type { StageForm } from './stage-draft.ts'

type Target = StageForm['alerts'][number]

interface AlertsCardProps {
  targets: readonly Target[]
  onChange: (targets: Target[]) => void
}

const all = Object.keys(texts.targets) as Target[]

export function AlertsCard({ targets, onChange }: AlertsCardProps) {
  return (
    <Card>
      <CardHeader title={texts.alerts}>{texts.alertsNote}</CardHeader>
      <fieldset className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-4 px-5 pt-1 pb-4">
        <legend className="sr-only">{texts.alerts}</legend>
        {all.map((target) => (
          <Checkbox
            key={target}
            label={texts.targets[target]}
            checked={targets.includes(target)}
            onChange={({ target: { checked } }) =>
              onChange(all.filter((one) => (one === target ? checked : targets.includes(one))))
            }
          />
        ))}
      </fieldset>
    </Card>
  )
}
