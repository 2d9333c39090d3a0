import { useState } from 'react'
import { useSession } from '../../session/session.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { todayIn } from './money.ts'
import type { PaymentMethod } from './use-billing.ts'

/** How and when money moved, as it is typed. */
export interface TypedTransfer {
  method: PaymentMethod | ''
  reference: string
  on: string
}

export function useTransfer() {
  const { company } = useSession()
  const today = todayIn(company.timezone)
  const [typed, setTyped] = useState<TypedTransfer>({ method: '', reference: '', on: today })
  const { method, reference, on } = typed
  return { typed, setTyped, today, sent: { method: method || null, reference: reference || null, on } }
}

interface TransferFieldsProps {
  transfer: ReturnType<typeof useTransfer>
  dayLabel: string
}

export function TransferFields({ transfer: { typed, setTyped, today }, dayLabel }: TransferFieldsProps) {
  const write = (part: Partial<TypedTransfer>) => setTyped({ ...typed, ...part })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={texts.method}
        value={typed.method}
        options={[['', texts.noMethod], ...(Object.entries(texts.methods) as [PaymentMethod, string][])]}
        onChange={(method) => write({ method })}
      />
      <TextField
        label={dayLabel}
        type="date"
        required
        max={today}
        value={typed.on}
        onChange={(on) => write({ on })}
      />
      <TextField
        label={texts.reference}
        hint={texts.referenceHint}
        className="sm:col-span-2"
        maxLength={200}
        value={typed.reference}
        onChange={(reference) => write({ reference })}
      />
    </div>
  )
}

/** How money moved, in a line: what nobody said is left out. */
export function transferText(method: PaymentMethod | null, reference: string | null): string | null {
  return [method && texts.methods[method], reference].filter(Boolean).join(' ') || null
}
