import { useState } from 'react'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { common } from '../../../texts/en/common.ts'
import { Checkbox, TextField } from '../../../ui/field.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { isAmount, isYears, plainAmount } from './typed-amount.ts'
import type { EquipmentSettingResponse } from './use-catalogue.ts'

type Kind = EquipmentSettingResponse['kind']
type Measure = keyof typeof texts.measures

interface EquipmentDialogProps {
  kind: Kind
  /** Null for a new one. */
  item: EquipmentSettingResponse | null
  onClose: () => void
}

/** What is measured of each kind, and with how many decimals at most. */
const measuresOf: Record<Kind, readonly (readonly [Measure, decimals: number])[]> = {
  panel: [
    ['watts', 2],
    ['efficiencyPercent', 3],
  ],
  inverter: [
    ['ratedOutputWatts', 2],
    ['efficiencyPercent', 3],
  ],
  battery: [
    ['capacityKwh', 3],
    ['continuousOutputWatts', 2],
  ],
}

function formOf(kind: Kind, item: EquipmentSettingResponse | null) {
  return {
    manufacturer: item?.manufacturer ?? '',
    model: item?.model ?? '',
    measures: Object.fromEntries(measuresOf[kind].map(([name]) => [name, item?.[name] ?? ''])) as Partial<
      Record<Measure, string>
    >,
    warrantyYears: item?.warrantyYears?.toString() ?? '',
    microinverter: item?.microinverter ?? false,
    default: item?.default ?? false,
    active: item?.active ?? true,
  }
}

type Form = ReturnType<typeof formOf>

/** As the server takes it: a kind has only fields of its own. */
function bodyOf(kind: Kind, { measures, microinverter, ...form }: Form, isNew: boolean) {
  const years = form.warrantyYears.trim()
  return {
    ...form,
    ...(isNew ? { kind } : {}),
    ...(kind === 'inverter' ? { microinverter } : {}),
    ...Object.fromEntries(
      Object.entries(measures).map(([name, text]) => [name, text.trim() ? plainAmount(text) : null]),
    ),
    model: form.model.trim() || null,
    warrantyYears: years === '' ? null : Number(years),
  }
}

const labels: Record<string, string> = {
  ...texts.measures,
  manufacturer: texts.manufacturer,
  model: texts.model,
  warrantyYears: texts.warrantyYears,
  microinverter: texts.microinverter,
  default: texts.asDefault,
  active: texts.active,
}

const wordsOf = (value: string | number | boolean | null | undefined) =>
  typeof value === 'boolean' ? (value ? common.yes : common.no) : String(value ?? '')

export function EquipmentDialog({ kind, item, onClose }: EquipmentDialogProps) {
  const [opened] = useState(() => formOf(kind, item))
  const [form, setForm] = useState(opened)
  const set = (change: Partial<Form>) => setForm({ ...form, ...change })
  const wrong = ([name, decimals]: readonly [Measure, number]) =>
    Boolean(form.measures[name]?.trim()) && !isAmount(form.measures[name]!, decimals)
  const wrongYears = !isYears(form.warrantyYears)
  return (
    <EntryDialog
      section="equipment"
      title={item ? [item.manufacturer, item.model].filter(Boolean).join(' ') : texts.addTitle[kind]}
      item={item}
      before={bodyOf(kind, opened, !item)}
      body={bodyOf(kind, form, !item)}
      now={bodyOf(kind, formOf(kind, item), !item)}
      words={(field, value) => [labels[field] ?? String(field), wordsOf(value)]}
      wrong={wrongYears || measuresOf[kind].some(wrong)}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={texts.manufacturer}
          value={form.manufacturer}
          onChange={(manufacturer) => set({ manufacturer })}
          maxLength={200}
          autoComplete="off"
          required
        />
        <TextField
          label={texts.model}
          value={form.model}
          onChange={(model) => set({ model })}
          maxLength={200}
        />
        {measuresOf[kind].map(([name, decimals]) => (
          <TextField
            key={name}
            label={texts.measures[name]}
            error={wrong([name, decimals]) ? texts.wrongAmount(decimals) : null}
            value={form.measures[name] ?? ''}
            onChange={(text) => set({ measures: { ...form.measures, [name]: text } })}
            inputMode="decimal"
            autoComplete="off"
            required={name === 'watts'}
          />
        ))}
        <TextField
          label={texts.warrantyYears}
          error={wrongYears ? texts.wrongYears : null}
          value={form.warrantyYears}
          onChange={(warrantyYears) => set({ warrantyYears })}
          inputMode="numeric"
        />
      </div>
      <div className="flex flex-wrap gap-x-6">
        <Checkbox
          label={texts.active}
          checked={form.active}
          onChange={({ target: { checked } }) =>
            set({ active: checked, ...(checked ? {} : { default: false }) })
          }
        />
        <Checkbox
          label={texts.asDefault}
          checked={form.default}
          disabled={!form.active}
          onChange={(event) => set({ default: event.target.checked })}
        />
        {kind === 'inverter' && (
          <Checkbox
            label={texts.microinverter}
            checked={form.microinverter}
            onChange={(event) => set({ microinverter: event.target.checked })}
          />
        )}
      </div>
    </EntryDialog>
  )
}
