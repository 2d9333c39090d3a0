import { useState } from 'react'
import { api } from '../../api/client.ts'
import { common } from '../../texts/en/common.ts'
import { project as texts } from '../../texts/en/project.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
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
const fieldsOf: Record<Typed['type'], (keyof Typed)[]> = {
  cash: [],
  loan: ['lender', 'amount', 'aprPercent', 'termMonths', 'monthlyPayment', 'dealerFeePercent'],
  lease: ['lender', 'rate', 'escalatorPercent', 'termMonths', 'monthlyPayment'],
  ppa: ['lender', 'rate', 'escalatorPercent', 'termMonths', 'monthlyPayment'],
}

/** Another way of paying leaves nothing of the old one. */
function patchOf(form: Typed, before: Typed['type']) {
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

/** The field by which the server names a change of it. */
const fieldOf = (name: keyof Typed) =>
  name === 'price' ? 'contractPrice' : name === 'signedOn' ? 'contractSignedOn' : `financing.${name}`

const amounts: (keyof Typed)[] = ['price', 'amount', 'monthlyPayment']

function wordsOf(name: keyof Typed, saved: Typed): string {
  const text = saved[name]
  if (name === 'type') return texts.financingTypes[saved.type]
  if (text === '') return text
  return amounts.includes(name) ? formatMoney(text) : name === 'signedOn' ? formatDay(text) : text
}

const labels: Record<Exclude<keyof Typed, 'rate'>, string> = {
  price: texts.price,
  signedOn: texts.signedOn,
  type: texts.financing,
  lender: texts.lender,
  amount: texts.amount,
  aprPercent: texts.apr,
  termMonths: texts.term,
  monthlyPayment: texts.monthlyPayment,
  dealerFeePercent: texts.dealerFee,
  escalatorPercent: texts.escalator,
}
const labelOf = (name: keyof Typed, type: Typed['type']) =>
  name === 'rate' ? (type === 'lease' ? texts.rate.lease : texts.rate.ppa) : labels[name]

export function ContractDialog({ project, onClose }: { project: AgreedProject; onClose: () => void }) {
  const saved = typed(project)
  const record = useRecordForm<Typed>(`project-contract-of-${project.id}`, saved, (name) => [
    labelOf(name, saved.type),
    wordsOf(name, saved),
  ])
  const { form, seen, input, discard, meanwhile } = record
  const [error, setError] = useState<string | null>(null)
  const change = useProjectChange(project)

  function close() {
    discard()
    onClose()
  }

  function save() {
    const patch = patchOf(form, seen.type)
    if (Number.isNaN(patch.financing.termMonths)) return setError(texts.wholeMonths)
    setError(null)
    change.mutate({
      send: () =>
        api.patch(`/projects/${project.id}`, {
          ...patch,
          seen: Object.fromEntries(
            Object.entries(seen).map(([name, text]) => [fieldOf(name as keyof Typed), text || null]),
          ),
        }),
      onDone: close,
      onRefused: ({ message }) => setError(message),
    })
  }

  return (
    <FormDialog
      title={texts.editContract}
      sending={change}
      onSubmit={save}
      error={error}
      meanwhile={meanwhile}
      confirm={common.save}
      onClose={close}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={texts.price} inputMode="decimal" {...input('price')} />
        <TextField
          label={texts.signedOn}
          type="date"
          min="1900-01-01"
          max="2099-12-31"
          {...input('signedOn')}
        />
        <SelectField
          label={texts.financing}
          className="sm:col-span-2"
          options={texts.financingTypes}
          {...input('type')}
        />
        {fieldsOf[form.type].map((name) => (
          <TextField
            key={name}
            label={labelOf(name, form.type)}
            inputMode={name === 'lender' ? 'text' : 'decimal'}
            maxLength={200}
            {...input(name)}
          />
        ))}
      </div>
    </FormDialog>
  )
}
