import { useState } from 'react'
import type { CatalogueResponse } from '../../src/api/console/sales.ts'
import { asksQuantity } from '../../src/domain/deals/sale/fitting.ts'
import { sell as texts } from '../texts/en/sell.ts'
import { Checkbox, Field, TextInput } from '../ui/field.tsx'
import { formatMoney, formatNumber } from '../ui/format.ts'
import { Badge } from '../ui/surface.tsx'
import type { ItemsProps } from './items-draft.ts'

type Offered = CatalogueResponse['adders'][number]

// From so many on, one looks for words and not by eye.
const longList = 14

/** The adders or products of the catalogue, to be chosen and counted. */
export function OfferedList(props: ItemsProps & { title: string; titleHidden?: boolean; note: string }) {
  const { catalogue, draft, title, titleHidden = false, note } = props
  const [wanted, setWanted] = useState('')
  const words = wanted.trim().toLowerCase()
  const shown = catalogue.adders.filter(
    ({ id, name, description }) =>
      id in draft.quantities || `${name} ${description ?? ''}`.toLowerCase().includes(words),
  )
  return (
    <fieldset className="pt-8">
      <legend className={titleHidden ? 'sr-only' : 'float-left font-semibold'}>{title}</legend>
      <p className="clear-both text-ink-soft">{catalogue.adders.length === 0 ? texts.noAdders : note}</p>
      {catalogue.adders.length > longList && (
        <Field label={texts.find} labelHidden className="pt-3">
          <TextInput
            type="search"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
            placeholder={texts.find}
          />
        </Field>
      )}
      <ul className="pt-2">
        {shown.map((item) => (
          <OfferedRow key={item.id} {...props} item={item} />
        ))}
      </ul>
      {shown.length === 0 && catalogue.adders.length > 0 && (
        <p className="py-6 text-center text-ink-soft">{texts.nothingFound}</p>
      )}
    </fieldset>
  )
}

function OfferedRow({ item, line, draft, change, problems, priced }: ItemsProps & { item: Offered }) {
  const { id, name, description, unit, repSponsored } = item
  const { [id]: typed, ...others } = draft.quantities
  const chosen = typed !== undefined
  const sum = chosen ? priced?.lines.find((one) => one.id === id) : undefined
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line/70 py-2 last:border-0">
      <Checkbox
        className="min-w-52 flex-1 items-start! py-1 [&>input]:mt-0.5"
        checked={chosen}
        onChange={() =>
          change({ quantities: chosen ? others : { ...others, [id]: unit === 'each' ? '1' : '' } })
        }
        label={
          <>
            <span className="font-medium">{name}</span>{' '}
            {repSponsored && <Badge tone="info">{texts.sponsored}</Badge>}
            <span className="block text-[0.87rem] text-ink-soft">
              {[description, priceText(item)].filter(Boolean).join(' · ')}
            </span>
          </>
        }
      />
      {chosen && asksQuantity(unit, line) && (
        <div className="flex items-center gap-2">
          <Field label={texts.quantity(name)} labelHidden error={problems[id]} className="w-28">
            <TextInput
              value={typed}
              onChange={(event) => change({ quantities: { ...others, [id]: event.target.value } })}
              inputMode="decimal"
              autoComplete="off"
              autoFocus={typed === ''}
            />
          </Field>
          <span className="w-10 text-[0.87rem] text-ink-soft">{texts.amounts[unit]}</span>
        </div>
      )}
      {sum && (
        <span className="ml-auto min-w-24 text-right whitespace-nowrap tabular-nums">
          {formatMoney(sum.total)}
        </span>
      )}
    </li>
  )
}

function priceText({ unit, unitPrice, tiered, tiers }: Offered): string {
  const price = (amount: string) => `$${formatPrice(amount)}`
  const first = `${price(unitPrice)} ${texts.units[unit]}`
  if (!tiered) return first
  const more = tiers.map((tier) =>
    texts.tier(formatNumber(tier.from), texts.amounts[unit], price(tier.unitPrice)),
  )
  return [first, ...more].join(', ')
}

/** Cents at least, and as many places as the catalogue has. */
function formatPrice(amount: string): string {
  return Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })
}
