import type { PriceResponse } from '../../../src/api/console/sales.ts'
import { sell as texts } from '../../texts/en/sell.ts'
import { formatMoney, formatNumber } from '../../ui/format.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'

interface SummaryProps {
  solar: boolean
  priced: PriceResponse | null
  /** A newer answer is on its way. */
  behind: boolean
  error: Error | null
}

/** What the server makes of the sale, beside the form. */
export function Summary({ solar, priced, behind, error }: SummaryProps) {
  return (
    <Card busy={behind} className="lg:sticky lg:top-6">
      <CardHeader title={texts.summary} />
      <div className="px-5 pb-5">
        <Problem className="pb-3">{error?.message}</Problem>
        {priced ? <Sums solar={solar} priced={priced} /> : <p className="text-ink-soft">{texts.begin}</p>}
      </div>
    </Card>
  )
}

function Sums({ solar, priced }: { solar: boolean; priced: PriceResponse }) {
  const { base, extras, computed, price, lines, sizeKw, annualProductionKwh, pricePerWatt, financing } =
    priced
  const monthly = financing?.monthlyPayment
  const agreed = computed !== null && price !== null && computed !== price
  return (
    <dl className="flex flex-col gap-1.5">
      {sizeKw && <Row name={texts.size} value={texts.kw(formatNumber(sizeKw))} />}
      {annualProductionKwh && (
        <Row
          name={texts.yearly}
          value={texts.kwhYear(formatNumber(Math.round(Number(annualProductionKwh))))}
        />
      )}
      {base && <Row name={texts.base} value={formatMoney(base)} />}
      {lines.length > 0 && <Row name={solar ? texts.adders : texts.products} value={formatMoney(extras)} />}
      {agreed && <Row name={texts.list} value={formatMoney(computed)} />}
      <div
        className="mt-1.5 flex items-baseline justify-between gap-4 border-t border-line pt-3"
        aria-live="polite"
      >
        <dt className="font-semibold">{texts.price}</dt>
        <dd className="text-lg font-semibold whitespace-nowrap tabular-nums">
          {price ? (
            formatMoney(price)
          ) : (
            <span className="text-base font-normal text-ink-soft">{texts.open}</span>
          )}
        </dd>
      </div>
      {price && pricePerWatt?.final && (
        <Row name={texts.final} value={`$${Number(pricePerWatt.final).toFixed(2)}`} />
      )}
      {monthly && <Row name={texts.monthly} value={formatMoney(monthly)} />}
    </dl>
  )
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="text-right whitespace-nowrap tabular-nums">{value}</dd>
    </div>
  )
}
