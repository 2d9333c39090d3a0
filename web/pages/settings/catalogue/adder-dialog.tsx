import { useState } from 'react'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { common } from '../../../texts/en/common.ts'
import { Checkbox, Field, Select, TextArea, TextInput } from '../../../ui/field.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { TierFields } from './tier-fields.tsx'
import { isAmount, isYears, plainAmount } from './typed-amount.ts'
import type { AdderSettingShown } from './use-catalogue.ts'

interface AdderDialogProps {
  line: AdderSettingShown['productLine']
  /** Null for a new one. */
  adder: AdderSettingShown | null
  onClose: () => void
}

type Form = ReturnType<typeof formOf>

function formOf(adder: AdderSettingShown | null, line: AdderSettingShown['productLine']) {
  return {
    name: adder?.name ?? '',
    productLine: adder?.productLine ?? line,
    productKind: adder?.productKind ?? ('' as const),
    unit: adder?.unit ?? (line === 'hi' ? ('each' as const) : ('flat' as const)),
    unitPrice: adder?.unitPrice ?? '',
    tiers: adder?.tiers ?? [],
    description: adder?.description ?? '',
    brand: adder?.brand ?? '',
    model: adder?.model ?? '',
    warrantyYears: adder?.warrantyYears?.toString() ?? '',
    repSponsored: adder?.repSponsored ?? false,
    showOnProposal: adder?.showOnProposal ?? true,
    active: adder?.active ?? true,
  }
}

/** As the server takes it. */
function bodyOf(form: Form) {
  const years = form.warrantyYears.trim()
  return {
    ...form,
    productKind: form.productKind || null,
    unitPrice: plainAmount(form.unitPrice),
    tiers: form.tiers.map(({ from, unitPrice }) => ({
      from: plainAmount(from),
      unitPrice: plainAmount(unitPrice),
    })),
    description: form.description.trim() || null,
    brand: form.brand.trim() || null,
    model: form.model.trim() || null,
    warrantyYears: years === '' ? null : Number(years),
  }
}

type Body = ReturnType<typeof bodyOf>

const labels: Record<keyof Body, string> = {
  name: texts.name,
  productLine: texts.productLine,
  productKind: texts.productKind,
  unit: texts.unit,
  unitPrice: texts.unitPrice,
  tiers: texts.tiers,
  description: texts.description,
  brand: texts.brand,
  model: texts.model,
  warrantyYears: texts.warrantyYears,
  repSponsored: texts.sponsored,
  showOnProposal: texts.shown,
  active: texts.active,
}

function shownOf(field: keyof Body, value: Body[keyof Body]): string {
  if (Array.isArray(value)) return value.map(({ from, unitPrice }) => texts.tier(from, unitPrice)).join(', ')
  if (typeof value === 'boolean') return value ? common.yes : common.no
  const names = { productLine: common.lines, productKind: texts.kinds, unit: texts.units } as Record<
    string,
    Record<string, string>
  >
  return names[field]?.[String(value)] ?? String(value ?? '')
}

export function AdderDialog({ line, adder, onClose }: AdderDialogProps) {
  const [opened] = useState(() => formOf(adder, line))
  const [form, setForm] = useState(opened)
  const set = (change: Partial<Form>) => setForm({ ...form, ...change })
  const wrongPrice = form.unitPrice !== '' && !isAmount(form.unitPrice, 4)
  const wrongYears = !isYears(form.warrantyYears)
  const wrongTier = form.tiers.some(({ from, unitPrice }) => !isAmount(from, 2) || !isAmount(unitPrice, 4))
  return (
    <EntryDialog
      shelf="adders"
      title={adder ? adder.name : texts.addTitle[line]}
      item={adder}
      before={bodyOf(opened)}
      body={bodyOf(form)}
      now={bodyOf(formOf(adder, line))}
      words={(field, value) => [labels[field], shownOf(field, value)]}
      wrong={wrongPrice || wrongYears || wrongTier}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={texts.name} className="sm:col-span-2">
          <TextInput
            value={form.name}
            onChange={(event) => set({ name: event.target.value })}
            maxLength={200}
            autoComplete="off"
            required
          />
        </Field>
        <Field
          label={texts.unitPrice}
          hint={texts.unitPriceHint}
          error={wrongPrice ? texts.wrongAmount(4) : null}
        >
          <TextInput
            value={form.unitPrice}
            onChange={(event) => set({ unitPrice: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
            required
          />
        </Field>
        <Field label={texts.unit}>
          <Select value={form.unit} onChange={(event) => set({ unit: event.target.value as Form['unit'] })}>
            {Object.entries(texts.units).map(([unit, name]) => (
              <option key={unit} value={unit}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <TierFields tiers={form.tiers} onChange={(tiers) => set({ tiers })} />
        <Field label={texts.productLine}>
          <Select
            value={form.productLine}
            onChange={(event) => set({ productLine: event.target.value as Form['productLine'] })}
          >
            {Object.entries(common.lines).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={texts.productKind}>
          <Select
            value={form.productKind}
            onChange={(event) => set({ productKind: event.target.value as Form['productKind'] })}
          >
            <option value="">{texts.noKind}</option>
            {Object.entries(texts.kinds).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={texts.brand}>
          <TextInput
            value={form.brand}
            onChange={(event) => set({ brand: event.target.value })}
            maxLength={200}
          />
        </Field>
        <Field label={texts.model}>
          <TextInput
            value={form.model}
            onChange={(event) => set({ model: event.target.value })}
            maxLength={200}
          />
        </Field>
        <Field label={texts.warrantyYears} error={wrongYears ? texts.wrongYears : null}>
          <TextInput
            value={form.warrantyYears}
            onChange={(event) => set({ warrantyYears: event.target.value })}
            inputMode="numeric"
          />
        </Field>
        <Field label={texts.description} className="sm:col-span-2">
          <TextArea
            value={form.description}
            onChange={(event) => set({ description: event.target.value })}
            rows={2}
            maxLength={2_000}
          />
        </Field>
      </div>
      <div className="flex flex-wrap gap-x-6">
        <Checkbox
          label={texts.active}
          checked={form.active}
          onChange={(event) => set({ active: event.target.checked })}
        />
        <Checkbox
          label={texts.shown}
          checked={form.showOnProposal}
          onChange={(event) => set({ showOnProposal: event.target.checked })}
        />
        <Checkbox
          label={texts.sponsored}
          checked={form.repSponsored}
          onChange={(event) => set({ repSponsored: event.target.checked })}
        />
      </div>
    </EntryDialog>
  )
}
