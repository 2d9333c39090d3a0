import { sell as texts } from '../../texts/en/sell.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatMoney } from '../../ui/format.ts'
import type { StepProps } from './step-props.ts'

export function PriceStep({ start, draft, change, problems, priced }: StepProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {start.productLine === 'solar' && (
        <Field label={texts.perWatt} hint={texts.perWattHint} error={problems['perWatt']}>
          <TextInput
            value={draft.perWatt}
            onChange={(event) => change({ perWatt: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
          />
        </Field>
      )}
      <Field
        label={texts.custom}
        hint={texts.customHint(priced?.computed ? formatMoney(priced.computed) : null)}
        error={problems['custom']}
      >
        <TextInput
          value={draft.custom}
          onChange={(event) => change({ custom: event.target.value })}
          inputMode="decimal"
          autoComplete="off"
        />
      </Field>
    </div>
  )
}
