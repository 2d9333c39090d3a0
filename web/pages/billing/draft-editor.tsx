import { useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import { common } from '../../texts/en/common.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ChangedMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatDay } from '../../ui/format.ts'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { decimalOf, lineCents, typedDecimal } from './line-amount.ts'
import { formatAmount, formatPrice, formatQuantity } from './money.ts'
import { billingKey, type InvoiceRead, invoiceQuery } from './use-billing.ts'

interface TypedLine {
  key: number
  description: string
  quantity: string
  unit: string
  unitPrice: string
}

interface Typed {
  name: string
  email: string
  address: string
  dueDate: string
  lines: TypedLine[]
}

const typedOf = ({ customer, dueDate, lineItems }: InvoiceRead): Typed => ({
  name: customer.name,
  email: customer.email ?? '',
  address: customer.address ?? '',
  dueDate: dueDate ?? '',
  lines: lineItems.map(({ description, quantity, unit, unitPrice }, key) => ({
    ...{ key, description, quantity, unit, unitPrice },
  })),
})

const fields = ['name', 'email', 'address', 'dueDate', 'lines'] as const
type DraftField = (typeof fields)[number]

interface Draft {
  typed: Typed
  /** What was there when the first of it was typed. */
  seen: Typed
}

const isSame = (a: Typed[DraftField], b: Typed[DraftField]) => JSON.stringify(a) === JSON.stringify(b)

const labels: Record<DraftField, string> = {
  name: texts.name,
  email: texts.email,
  address: texts.address,
  dueDate: texts.dueField,
  lines: texts.lines,
}

function shownOf(field: DraftField, typed: Typed, currency: string): string {
  if (field === 'dueDate') return typed.dueDate && formatDay(typed.dueDate)
  if (field !== 'lines') return typed[field]
  return typed.lines
    .map(
      ({ description, quantity, unit, unitPrice }) =>
        `${description}, ${formatQuantity(quantity, unit)} ${unit} × ${formatPrice(unitPrice, currency)}`,
    )
    .join('; ')
}

export const draftKey = (id: string) => `invoice-draft-${id}`

interface DraftEditorProps {
  invoice: InvoiceRead
  onClose: () => void
}

/** Changes a draft. What is typed stays in this tab until it is saved or discarded. */
export function DraftEditor({ invoice, onClose }: DraftEditorProps) {
  const { id, version, currency } = invoice
  const { say } = useToasts()
  const client = useQueryClient()
  const saved = typedOf(invoice)
  const draft = useDraft<Draft>(draftKey(id), { typed: saved, seen: saved })
  const [wasKept] = useState(draft.begun)
  const { typed, seen } = draft.value
  const write = (next: Typed) => draft.write({ typed: next, seen })
  const theirs = fields.filter(
    (name) => !isSame(saved[name], seen[name]) && !isSame(saved[name], typed[name]),
  )
  /** What was typed stays; of what others have changed besides, theirs does. */
  const keepMine = () => {
    const mine = fields.filter((name) => !isSame(typed[name], seen[name]))
    draft.write({
      typed: { ...saved, ...Object.fromEntries(mine.map((name) => [name, typed[name]])) },
      seen: saved,
    })
  }
  const nextKey = useRef(Math.max(0, ...typed.lines.map(({ key }) => key)) + 1)
  const amounts = typed.lines.map(({ quantity, unitPrice }) => {
    const [count, price] = [typedDecimal(quantity), typedDecimal(unitPrice)]
    return count === null || price === null ? null : lineCents(count, price)
  })
  const total = amounts.reduce((sum: bigint, amount) => sum + (amount ?? 0n), 0n)

  const save = useSubmit({
    mutationFn: (_, submission) =>
      api.patch<InvoiceRead>(
        `/billing/invoices/${id}`,
        {
          version,
          customer: { name: typed.name, email: typed.email || null, address: typed.address || null },
          dueDate: typed.dueDate || null,
          lineItems: typed.lines.map(({ key: _key, quantity, unitPrice, ...line }) => ({
            ...line,
            quantity: typedDecimal(quantity) ?? quantity,
            unitPrice: typedDecimal(unitPrice) ?? unitPrice,
          })),
        },
        submission,
      ),
    onSuccess: (next) => {
      client.setQueryData(invoiceQuery(id).queryKey, next)
      draft.discard()
      say(texts.draftSaved)
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: billingKey }),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (theirs.length === 0) save.mutate()
  }

  const input = (field: Exclude<keyof Typed, 'lines'>) => ({
    value: typed[field],
    onChange: ({ target }: { target: { value: string } }) => write({ ...typed, [field]: target.value }),
  })
  const lineInput = (line: TypedLine, field: Exclude<keyof TypedLine, 'key'>) => ({
    value: line[field],
    onChange: ({ target }: { target: { value: string } }) =>
      write({
        ...typed,
        lines: typed.lines.map((one) => (one === line ? { ...one, [field]: target.value } : one)),
      }),
  })
  const add = () => {
    const line = { key: nextKey.current++, description: '', quantity: '1', unit: 'each', unitPrice: '' }
    write({ ...typed, lines: [...typed.lines, line] })
  }
  const remove = (line: TypedLine) => write({ ...typed, lines: typed.lines.filter((one) => one !== line) })

  return (
    <Card>
      <CardHeader title={texts.editTitle}>{wasKept && texts.keptDraft}</CardHeader>
      <form onSubmit={submit} className="flex flex-col gap-5 px-5 pt-1 pb-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={texts.name}>
            <TextInput required maxLength={200} {...input('name')} />
          </Field>
          <Field label={texts.email}>
            <TextInput type="email" maxLength={320} {...input('email')} />
          </Field>
          <Field label={texts.address}>
            <TextInput maxLength={500} {...input('address')} />
          </Field>
          <Field label={texts.dueField} hint={texts.dueHint(invoice.paymentTermDays)}>
            <TextInput type="date" {...input('dueDate')} />
          </Field>
        </div>
        <fieldset>
          <legend className="pb-2 font-semibold">{texts.lines}</legend>
          <ul className="flex flex-col gap-4">
            {typed.lines.map((line, i) => (
              <li
                key={line.key}
                className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_2.5rem] items-start gap-2 border-b border-line/70 pb-4 sm:grid-cols-[minmax(0,1fr)_7rem_6rem_8rem_7rem_2.5rem]"
              >
                <Labelled label={texts.description} line={i + 1} className="max-sm:col-span-3">
                  <TextInput required maxLength={500} {...lineInput(line, 'description')} />
                </Labelled>
                <Labelled
                  label={texts.quantity}
                  line={i + 1}
                  error={typedDecimal(line.quantity) === null ? texts.badNumber : null}
                >
                  <TextInput required inputMode="decimal" maxLength={18} {...lineInput(line, 'quantity')} />
                </Labelled>
                <Labelled label={texts.unit} line={i + 1} className="max-sm:col-span-2">
                  <TextInput required maxLength={40} {...lineInput(line, 'unit')} />
                </Labelled>
                <Labelled
                  label={texts.unitPrice}
                  line={i + 1}
                  error={line.unitPrice && typedDecimal(line.unitPrice) === null ? texts.badNumber : null}
                >
                  <TextInput required inputMode="decimal" maxLength={18} {...lineInput(line, 'unitPrice')} />
                </Labelled>
                <p className="mt-8 text-right whitespace-nowrap tabular-nums">
                  {amounts[i] === null || amounts[i] === undefined
                    ? '–'
                    : formatAmount(decimalOf(amounts[i]), currency)}
                </p>
                <IconButton
                  label={texts.removeLine(i + 1)}
                  disabled={typed.lines.length === 1}
                  onClick={() => remove(line)}
                  className="mt-6 disabled:opacity-40"
                >
                  <Trash2 className="size-4.5" aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
        </fieldset>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Button onClick={add} disabled={typed.lines.length >= 500}>
            <Plus className="size-4" aria-hidden />
            {texts.addLine}
          </Button>
          <p className="text-lg font-semibold tabular-nums" role="status">
            {texts.total} {formatAmount(decimalOf(total), currency)}
          </p>
        </div>
        {theirs.length > 0 && !save.isPending ? (
          <ChangedMeanwhile
            theirs={theirs.map((name) => [labels[name], shownOf(name, saved, currency)])}
            onKeep={keepMine}
            onDiscard={draft.discard}
          />
        ) : (
          save.error && (
            <p role="alert" className="text-bad">
              {save.error.message}
            </p>
          )
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={() => {
              draft.discard()
              onClose()
            }}
          >
            {draft.begun ? texts.discard : common.cancel}
          </Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {common.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

interface LabelledProps {
  label: string
  line: number
  error?: string | null
  className?: string
  children: ReactNode
}

/** Shown short over each line, and read out with the line's number. */
function Labelled({ label, line, error, className, children }: LabelledProps) {
  return (
    <Field label={texts.ofLine(label, line)} labelHidden error={error} {...(className ? { className } : {})}>
      <span aria-hidden className="text-[0.8rem] text-ink-soft">
        {label}
      </span>
      {children}
    </Field>
  )
}
