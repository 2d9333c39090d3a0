import { type FormEvent, useState } from 'react'
import type { Financing } from '../../../src/domain/deals/projects/project.ts'
import { api } from '../../api/client.ts'
import { common } from '../../texts/en/common.ts'
import { project as texts } from '../../texts/en/project.ts'
import { Button } from '../../ui/button.tsx'
import { ChangedMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { formatDay, formatMoney } from '../../ui/format.ts'
import { useRecordForm } from '../../ui/record-form.ts'
import { type AgreedProject, useProjectChange } from './use-project.ts'

/** As typed: texts all of them, empty where there is nothing. */
function typed({ contract, financing }: AgreedProject) {
  return {
    price: contract.price ?? '',
    signedOn: contract.signedOn ?? '',
    type: financing.type,
    lender: financing.lender ?? '',
    amount: financing.amount ?? '',
    aprPercent: financing.aprPercent ?? '',
    termMonths: financing.termMonths === null ? '' : String(financing.termMonths),
    monthlyPayment: financing.monthlyPayment ?? '',
    dealerFeePercent: financing.dealerFeePercent ?? '',
    rate: financing.rate ?? '',
    escalatorPercent: financing.escalatorPercent ?? '',
  }
}
type Typed = ReturnType<typeof typed>

/** $28,500 is 28500. */
const decimal = (text: string) => text.replace(/[$,\s%]/g, '') || null

/** Which fields a way of paying has. */
const fieldsOf: Record<Financing['type'], (keyof Typed)[]> = {
  cash: [],
  loan: ['lender', 'amount', 'aprPercent', 'termMonths', 'monthlyPayment', 'dealerFeePercent'],
  lease: ['lender', 'rate', 'escalatorPercent', 'termMonths', 'monthlyPayment'],
  ppa: ['lender', 'rate', 'escalatorPercent', 'termMonths', 'monthlyPayment'],
}

/** Another way of paying leaves nothing of the old one. */
function patchOf(form: Typed, before: Financing['type']) {
  const has = (name: keyof Typed) => form.type === before || fieldsOf[form.type].includes(name)
  const number = (name: keyof Typed) => (has(name) ? decimal(form[name]) : null)
  const months = number('termMonths')
  return {
    contractPrice: decimal(form.price),
    contractSignedOn: form.signedOn || null,
    financing: {
      type: form.type,
      lender: has('lender') ? form.lender.trim() || null : null,
      amount: number('amount'),
      aprPercent: number('aprPercent'),
      termMonths: months === null ? null : Number(months),
      monthlyPayment: number('monthlyPayment'),
      dealerFeePercent: number('dealerFeePercent'),
      rate: number('rate'),
      escalatorPercent: number('escalatorPercent'),
    },
  }
}

/** The fields as changes of them are told. */
const told = (name: keyof Typed) =>
  name === 'price' ? 'contractPrice' : name === 'signedOn' ? 'contractSignedOn' : `financing.${name}`

const amounts: (keyof Typed)[] = ['price', 'amount', 'monthlyPayment']

function shownOf(name: keyof Typed, saved: Typed): string {
  const text = saved[name]
  if (name === 'type') return texts.financingTypes[saved.type]
  if (text === '') return text
  return amounts.includes(name) ? formatMoney(text) : name === 'signedOn' ? formatDay(text) : text
}

export function ContractForm({ project, onDone }: { project: AgreedProject; onDone: () => void }) {
  const saved = typed(project)
  const { form, seen, names, theirs, set, keepMine, discard } = useRecordForm<Typed>(
    `project-contract-of-${project.id}`,
    saved,
  )
  const [error, setError] = useState<string | null>(null)
  const change = useProjectChange(project)

  function end() {
    discard()
    onDone()
  }

  function save(event: FormEvent) {
    event.preventDefault()
    if (theirs.length > 0) return
    const patch = patchOf(form, seen.type)
    if (Number.isNaN(patch.financing.termMonths)) return setError(texts.wholeMonths)
    setError(null)
    change.mutate({
      send: () =>
        api.patch(`/projects/${project.id}`, {
          ...patch,
          seen: Object.fromEntries(names.map((name) => [told(name), seen[name] || null])),
        }),
      onDone: end,
      onRefused: ({ message }) => setError(message),
    })
  }

  const labels: Partial<Record<keyof Typed, string>> = {
    price: texts.price,
    signedOn: texts.signedOn,
    type: texts.financing,
    lender: texts.lender,
    amount: texts.amount,
    aprPercent: texts.apr,
    termMonths: texts.term,
    monthlyPayment: texts.monthlyPayment,
    dealerFeePercent: texts.dealerFee,
    rate: form.type === 'lease' ? texts.rate.lease : texts.rate.ppa,
    escalatorPercent: texts.escalator,
  }
  return (
    <form onSubmit={save}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={texts.price}>
          <TextInput
            inputMode="decimal"
            value={form.price}
            onChange={(event) => set({ price: event.target.value })}
          />
        </Field>
        <Field label={texts.signedOn}>
          <TextInput
            type="date"
            min="1900-01-01"
            max="2099-12-31"
            value={form.signedOn}
            onChange={(event) => set({ signedOn: event.target.value })}
          />
        </Field>
        <Field label={texts.financing} className="sm:col-span-2">
          <Select value={form.type} onChange={(event) => set({ type: event.target.value as Typed['type'] })}>
            {Object.entries(texts.financingTypes).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {fieldsOf[form.type].map((name) => (
          <Field key={name} label={labels[name]!}>
            <TextInput
              inputMode={name === 'lender' ? 'text' : 'decimal'}
              maxLength={200}
              value={form[name]}
              onChange={(event) => set({ [name]: event.target.value })}
            />
          </Field>
        ))}
      </div>
      {theirs.length > 0 ? (
        <div className="pt-4">
          <ChangedMeanwhile
            theirs={theirs.map((name) => [labels[name]!, shownOf(name, saved)])}
            onKeep={keepMine}
            onDiscard={discard}
          />
        </div>
      ) : (
        error && (
          <p role="alert" className="pt-3 text-bad">
            {error}
          </p>
        )
      )}
      <DialogActions>
        <Button onClick={end}>{common.cancel}</Button>
        <Button kind="primary" type="submit" busy={change.isPending}>
          {common.save}
        </Button>
      </DialogActions>
    </form>
  )
}
