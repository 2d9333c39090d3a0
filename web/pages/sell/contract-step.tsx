import { sell as texts } from '../../texts/en/sell.ts'
import { Field, TextArea, TextInput } from '../../ui/field.tsx'
import type { StepProps } from './step-props.ts'

const maxNotes = 20_000

export function ContractStep({ start, draft, change, problems }: StepProps) {
  return (
    <div className="flex flex-col gap-4">
      <Field label={texts.signedOn} error={problems['signedOn']} className="max-w-56">
        <TextInput
          type="date"
          value={draft.signedOn}
          max={start.today}
          onChange={(event) => change({ signedOn: event.target.value })}
        />
      </Field>
      <Field label={texts.notes} hint={texts.notesHint}>
        <TextArea
          rows={5}
          maxLength={maxNotes}
          value={draft.notes}
          onChange={(event) => change({ notes: event.target.value })}
        />
      </Field>
    </div>
  )
}
