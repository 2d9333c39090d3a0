import type { PriceResponse } from '../../../src/api/console/sales.ts'
import { items as texts } from '../../texts/en/items.ts'
import { sell } from '../../texts/en/sell.ts'
import { classes } from '../../ui/classes.ts'
import { Checkbox } from '../../ui/field.tsx'
import { formatMoney, formatNumber } from '../../ui/format.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'

interface PriceCardProps {
  solar: boolean
  priced: PriceResponse | null
  /** A newer answer is on its way. */
  behind: boolean
  error: Error | null
  contractPrice: string | null
  takes: boolean
  onTake: (takes: boolean) => void
}

/** What the server makes of it, and whether the contract follows. */
export function PriceCard({ solar, priced, behind, error, contractPrice, takes, onTake }: PriceCardProps) {
  const computed = priced?.computed ?? null
  const difference = computed === null ? 0 : Number(computed) - Number(contractPrice ?? 0)
  return (
    <Card busy={behind} className="lg:sticky lg:top-6">
      <CardHeader title={texts.prices} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <Problem>{error?.message}</Problem>
        {priced ? (
          <dl className="flex flex-col gap-1.5" aria-live="polite">
            {priced.sizeKw && <Row name={sell.size} value={sell.kw(formatNumber(priced.sizeKw))} />}
            {priced.base && <Row name={sell.base} value={formatMoney(priced.base)} />}
            {priced.lines.length > 0 && (
              <Row name={solar ? sell.adders : sell.products} value={formatMoney(priced.extras)} />
            )}
            <Row strong name={texts.computed} value={computed ? formatMoney(computed) : texts.open} />
            <Row name={texts.contract} value={contractPrice ? formatMoney(contractPrice) : texts.none} />
            {computed && contractPrice && difference !== 0 && (
              <Row
                name={texts.difference}
                value={difference > 0 ? texts.more(formatMoney(difference)) : formatMoney(difference)}
              />
            )}
          </dl>
        ) : (
          <p className="text-ink-soft">{texts.begin}</p>
        )}
        {computed && difference !== 0 && (
          <div className="border-t border-line pt-3">
            <Checkbox
              className="items-start! [&>input]:mt-0.5"
              checked={takes}
              onChange={(event) => onTake(event.target.checked)}
              label={<span className="font-medium">{texts.take(formatMoney(computed))}</span>}
            />
            <p className="pt-1 text-[0.87rem] text-ink-soft">{texts.keepNote}</p>
          </div>
        )}
      </div>
    </Card>
  )
}

function Row({ name, value, strong }: { name: string; value: string; strong?: boolean }) {
  return (
    <div
      className={classes(
        'flex items-baseline justify-between gap-4',
        strong && 'mt-1.5 border-t border-line pt-3 font-semibold',
      )}
    >
      <dt className={strong ? '' : 'text-ink-soft'}>{name}</dt>
      <dd className="text-right whitespace-nowrap tabular-nums">{value}</dd>
    </div>
  )
}
