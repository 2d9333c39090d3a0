import { Plus, X } from 'lucide-react'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/field.tsx'
import { isAmount } from './typed-amount.ts'
import type { AdderSettingResponse } from './use-catalogue.ts'

type Tiers = AdderSettingResponse['tiers']

interface TierFieldsProps {
  tiers: Tiers
  onChange: (tiers: Tiers) => void
}

const maxTiers = 20

/** From which quantity on another price holds. */
export function TierFields({ tiers, onChange }: TierFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-2 sm:col-span-2">
      <legend className="text-[0.87rem] font-medium">{texts.tiers}</legend>
      <p className="text-[0.87rem] text-ink-soft">{texts.tiersHint}</p>
      {tiers.length > 0 && (
        <div aria-hidden className="flex gap-2 pr-12 text-[0.8rem] font-medium text-ink-soft">
          <span className="flex-1">{texts.fromQuantity}</span>
          <span className="flex-1">{texts.unitPrice}</span>
        </div>
      )}
      {tiers.map((tier, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tier is known by its place while it is typed
        <div key={place} className="flex items-center gap-2">
          <TextInput
            aria-label={texts.tierFrom(place + 1)}
            aria-invalid={tier.from !== '' && !isAmount(tier.from, 2)}
            value={tier.from}
            onChange={(event) => onChange(tiers.with(place, { ...tier, from: event.target.value }))}
            inputMode="decimal"
            required
          />
          <TextInput
            aria-label={texts.tierPrice(place + 1)}
            aria-invalid={tier.unitPrice !== '' && !isAmount(tier.unitPrice, 4)}
            value={tier.unitPrice}
            onChange={(event) => onChange(tiers.with(place, { ...tier, unitPrice: event.target.value }))}
            inputMode="decimal"
            required
          />
          <IconButton label={texts.removeTier(place + 1)} onClick={() => onChange(tiers.toSpliced(place, 1))}>
            <X className="size-4" aria-hidden />
          </IconButton>
        </div>
      ))}
      {tiers.length < maxTiers && (
        <div>
          <Button small kind="quiet" onClick={() => onChange([...tiers, { from: '', unitPrice: '' }])}>
            <Plus className="size-4" aria-hidden />
            {texts.addTier}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
