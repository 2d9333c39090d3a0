import { useState } from 'react'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { common } from '../../../texts/en/common.ts'
import { Checkbox, Field, SelectField, TextArea, TextField } from '../../../ui/field.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { TierFields } from './tier-fields.tsx'
import { isAmount, isYears, plainAmount } from './typed-amount.ts'
import type { AdderSettingResponse } from './use-catalogue.ts'

interface AdderDialogProps {
  line: AdderSettingResponse['productLine']
  /** Null for a new one. */
  adder: AdderSettingResponse | null
  onClose: () => void
}

type Form = ReturnType<typeof formOf>

function formOf(adder: AdderSettingResponse | null, line: AdderSettingResponse['productLine']) {
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

function wordsOf(field: keyof Body, value: Body[keyof Body]): string {
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
  const input = <N extends keyof Form>(name: N) => ({
    value: form[name],
    onChange: (value: Form[N]) => set({ [name]: value } as Partial<Form>),
  })
  const wrongPrice = form.unitPrice !== '' && !isAmount(form.unitPrice, 4)
  const wrongYears = !isYears(form.warrantyYears)
  const wrongTier = form.tiers.some(({ from, unitPrice }) => !isAmount(from, 2) || !isAmount(unitPrice, 4))
  return (
    <EntryDialog
      section="adders"
      title={adder ? adder.name : texts.addTitle[line]}
      item={adder}
      before={bodyOf(opened)}
      body={bodyOf(form)}
      now={bodyOf(formOf(adder, line))}
      words={(field, value) => [labels[field], wordsOf(field, value)]}
      wrong={wrongPrice || wrongYears || wrongTier}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={texts.name}
          className="sm:col-span-2"
          maxLength={200}
          autoComplete="off"
          required
          {...input('name')}
        />
        <TextField
          label={texts.unitPrice}
          hint={texts.unitPriceHint}
          error={wrongPrice ? texts.wrongAmount(4) : null}
          inputMode="decimal"
          autoComplete="off"
          required
          {...input('unitPrice')}
        />
        <SelectField label={texts.unit} options={texts.units} {...input('unit')} />
        <TierFields tiers={form.tiers} onChange={(tiers) => set({ tiers })} />
        <SelectField label={texts.productLine} options={common.lines} {...input('productLine')} />
        <SelectField
          label={texts.productKind}
          options={{ '': texts.noKind, ...texts.kinds }}
          {...input('productKind')}
        />
        <TextField label={texts.brand} maxLength={200} {...input('brand')} />
        <TextField label={texts.model} maxLength={200} {...input('model')} />
        <TextField
          label={texts.warrantyYears}
          error={wrongYears ? texts.wrongYears : null}
          inputMode="numeric"
          {...input('warrantyYears')}
        />
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
