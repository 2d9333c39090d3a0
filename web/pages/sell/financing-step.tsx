import { sell as texts } from '../../texts/en/sell.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { formatMoney } from '../../ui/format.ts'
import { Segments } from '../../ui/tabs.tsx'
import type { Draft, FinancingType } from './draft.ts'
import type { StepProps } from './step-props.ts'

const types: Record<'solar' | 'hi', readonly FinancingType[]> = {
  solar: ['cash', 'loan', 'lease', 'ppa'],
  hi: ['cash', 'loan', 'lease'],
}

type TextField = 'lender' | 'amount' | 'apr' | 'years' | 'payment' | 'dealerFee' | 'rate' | 'escalator'

export function FinancingStep({ start, draft, change, problems, priced }: StepProps) {
  const { financing } = draft
  const field = (name: TextField, label: string, hint?: string) => (
    <Field label={label} hint={hint} error={problems[name]}>
      <TextInput
        value={draft[name]}
        onChange={(event) => change({ [name]: event.target.value } as Pick<Draft, TextField>)}
        inputMode={name === 'lender' ? 'text' : 'decimal'}
        autoComplete="off"
      />
    </Field>
  )
  const computed = priced?.financing?.monthlyPayment
  return (
    <>
      <Segments
        label={texts.financing}
        value={financing}
        onChange={(type) => change({ financing: type })}
        options={types[start.productLine].map((value) => ({ value, label: texts.types[value] }))}
      />
      {financing === 'cash' ? (
        <p className="pt-4 text-ink-soft">{texts.cashNote}</p>
      ) : (
        <div className="grid gap-4 pt-5 sm:grid-cols-2">
          {field('lender', texts.lender[financing], texts.optional)}
          {financing === 'loan' && (
            <>
              {field('amount', texts.amount, texts.amountHint(formatMoney(priced?.price ?? 0)))}
              {field('apr', texts.apr)}
            </>
          )}
          {financing === 'lease' && field('payment', texts.payment)}
          {financing === 'ppa' && field('rate', texts.rate, texts.rateHint)}
          {field('years', texts.term)}
          {financing === 'loan' ? (
            <>
              {field(
                'payment',
                texts.payment,
                computed && draft.payment.trim() === ''
                  ? texts.paymentHint(formatMoney(computed))
                  : texts.paymentLater,
              )}
              {field('dealerFee', texts.dealerFee, texts.optional)}
            </>
          ) : (
            field('escalator', texts.escalator, texts.optional)
          )}
        </div>
      )}
    </>
  )
}
