import type { ReactNode } from 'react'
import { suggestedInverters } from '../../items/fitting.ts'
import { hasRecipients, type NotifyChoice, RecipientFields } from '../../moving/recipients.tsx'
import { sell as texts } from '../../texts/en/sell.ts'
import { Button } from '../../ui/button.tsx'
import { formatDay, formatMoney, formatNumber } from '../../ui/format.ts'
import type { Step } from './draft.ts'
import type { StepProps } from './step-props.ts'

interface ReviewProps extends StepProps {
  onGo: (step: Step) => void
  notify: NotifyChoice
  onNotify: (notify: NotifyChoice) => void
}

/** All of it once more, each part a click away from being changed, and who will be told. */
export function ReviewStep({ notify, onNotify, ...props }: ReviewProps) {
  const { start, draft, priced, onGo } = props
  return (
    <div className="flex flex-col">
      <Part step={start.productLine === 'solar' ? 'system' : 'products'} onGo={onGo}>
        <ul className="flex flex-col gap-1">
          {soldOf(props).map(({ id, name, amount }) => (
            <li key={id} className="flex justify-between gap-4">
              <span className="min-w-0">{name}</span>
              <span className="shrink-0 text-right tabular-nums text-ink-soft">{amount}</span>
            </li>
          ))}
        </ul>
      </Part>
      <Part step="price" onGo={onGo}>
        <p className="text-lg font-semibold tabular-nums">
          {priced?.price ? formatMoney(priced.price) : texts.open}
        </p>
      </Part>
      <Part step="financing" onGo={onGo}>
        <p>{financingText(props)}</p>
      </Part>
      <Part step="contract" onGo={onGo}>
        <p>
          {texts.signedOn} {formatDay(draft.signedOn)}
        </p>
        {draft.notes.trim() && <p className="pt-1 whitespace-pre-line text-ink-soft">{draft.notes.trim()}</p>}
      </Part>
      {start.recipients && hasRecipients(start.recipients) && (
        <section className="pt-4">
          <h3 className="pb-1 text-[0.87rem] font-medium text-ink-soft">{texts.recipients}</h3>
          <RecipientFields
            recipients={start.recipients}
            name={start.name || texts.nameless}
            notify={notify}
            onChange={onNotify}
          />
          <p className="pt-2 text-[0.87rem] text-ink-soft">{texts.recipientsNote}</p>
        </section>
      )}
    </div>
  )
}

function Part({ step, onGo, children }: { step: Step; onGo: (step: Step) => void; children: ReactNode }) {
  const name = texts.steps[step]
  return (
    <section className="border-b border-line/70 py-4 first:pt-0 last:border-0 last:pb-0">
      <div className="flex items-center justify-between gap-4 pb-1">
        <h3 className="text-[0.87rem] font-medium text-ink-soft">{name}</h3>
        <Button kind="quiet" small onClick={() => onGo(step)}>
          {texts.change(name)}
        </Button>
      </div>
      {children}
    </section>
  )
}

interface SoldPart {
  id: string
  name: string
  amount: string
}

function soldOf({ start, draft, catalogue, priced }: StepProps): SoldPart[] {
  const equipment = (kind: 'panels' | 'inverters' | 'batteries', count: string): SoldPart[] => {
    const item = catalogue[kind].find(({ id }) => id === draft[kind].id)
    return item
      ? [
          {
            id: item.id,
            name: [item.manufacturer, item.model].filter(Boolean).join(' '),
            amount: `× ${count}`,
          },
        ]
      : []
  }
  const lines = (priced?.lines ?? []).map(({ id, name, total, repSponsored }) => ({
    id,
    name,
    amount: repSponsored ? `${formatMoney(total)}, ${texts.sponsored.toLowerCase()}` : formatMoney(total),
  }))
  if (start.productLine === 'hi') return lines
  return [
    ...equipment('panels', draft.panels.count),
    ...equipment(
      'inverters',
      draft.inverters.count.trim() || String(suggestedInverters(draft, catalogue) ?? ''),
    ),
    ...(draft.batteries.id ? equipment('batteries', draft.batteries.count) : []),
    ...lines,
  ]
}

function financingText({ draft, priced }: StepProps): string {
  const { financing, lender, years, apr, rate } = draft
  const monthly = priced?.financing?.monthlyPayment
  return [
    texts.types[financing],
    ...(financing === 'cash'
      ? []
      : [
          lender.trim(),
          texts.years(formatNumber(years)),
          financing === 'loan' ? `${apr.trim()}% APR` : '',
          financing === 'ppa' ? `$${rate.trim()} ${texts.rate.toLowerCase()}` : '',
          monthly ? `${texts.monthly.toLowerCase()} ${formatMoney(monthly)}` : '',
        ]),
  ]
    .filter(Boolean)
    .join(', ')
}
