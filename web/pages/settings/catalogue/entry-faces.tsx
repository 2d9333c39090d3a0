import type { ReactNode } from 'react'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { classes } from '../../../ui/classes.ts'
import { formatNumber } from '../../../ui/format.ts'
import { Badge } from '../../../ui/surface.tsx'
import type { AdderSettingResponse, EquipmentSettingResponse } from './use-catalogue.ts'

// A price of one watt has more decimals than cents.
const prices = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
})

/** What an adder's row says. */
export function AdderFace({ adder }: { adder: AdderSettingResponse }) {
  const { unitPrice, unit, tiers, productKind, brand, model, warrantyYears } = adder
  const facts = [
    `${prices.format(Number(unitPrice))} ${texts.units[unit]}`,
    tiers.length > 0 && texts.tierCount(tiers.length),
    productKind && texts.kinds[productKind],
    [brand, model].filter(Boolean).join(' '),
    warrantyYears && texts.years(warrantyYears),
  ]
  return (
    <Face name={adder.name} active={adder.active} facts={facts}>
      {adder.repSponsored && <Badge tone="info">{texts.repSponsored}</Badge>}
      {!adder.showOnProposal && <Badge>{texts.notShown}</Badge>}
    </Face>
  )
}

/** What a piece of equipment's row says. */
export function EquipmentFace({ item }: { item: EquipmentSettingResponse & { name: string } }) {
  const watts = item.watts ?? item.ratedOutputWatts ?? item.continuousOutputWatts
  const facts = [
    item.capacityKwh && texts.kwh(formatNumber(item.capacityKwh)),
    watts && texts.watts(formatNumber(watts)),
    item.efficiencyPercent && texts.percent(formatNumber(item.efficiencyPercent)),
    item.microinverter && texts.microinverter,
    item.warrantyYears && texts.years(item.warrantyYears),
  ]
  return (
    <Face name={item.name} active={item.active} facts={facts}>
      {item.default && <Badge tone="good">{texts.isDefault}</Badge>}
    </Face>
  )
}

interface FaceProps {
  name: string
  active: boolean
  facts: readonly (string | number | false | null)[]
  children: ReactNode
}

function Face({ name, active, facts, children }: FaceProps) {
  return (
    <>
      <span className="min-w-0 flex-1 basis-52">
        <span
          className={classes('block truncate font-medium group-hover:underline', !active && 'text-ink-soft')}
        >
          {name}
        </span>
        <span className="block text-[0.87rem] text-ink-soft">{facts.filter(Boolean).join(' · ')}</span>
      </span>
      <span className="flex flex-wrap gap-1.5">
        {children}
        {!active && <Badge tone="warn">{texts.notOffered}</Badge>}
      </span>
    </>
  )
}
