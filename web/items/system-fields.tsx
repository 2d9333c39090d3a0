import { sell as texts } from '../texts/en/sell.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { suggestedInverters } from './fitting.ts'
import type { ItemsProps } from './items-draft.ts'
import { OfferedList } from './offered-list.tsx'

const named = ({ manufacturer, model }: { manufacturer: string; model: string | null }, detail: string) =>
  [manufacturer, model, detail].filter(Boolean).join(' ')

const whole = { inputMode: 'numeric', autoComplete: 'off' } as const
const decimal = { inputMode: 'decimal', autoComplete: 'off' } as const

interface SystemFieldsProps extends ItemsProps {
  /** What is said of the production that is taken where none is filled in. */
  productionHint?: (kwh: string) => string
}

/** Panels, inverters, batteries and adders. */
export function SystemFields({ productionHint = texts.productionHint, ...props }: SystemFieldsProps) {
  const { catalogue, draft, change, problems, priced } = props
  const { panels, inverters, batteries } = draft
  const fitting = suggestedInverters(draft, catalogue)
  return (
    <>
      <div className="grid gap-x-4 gap-y-4 sm:grid-cols-[1fr_11rem]">
        <SelectField
          label={texts.panels}
          error={problems['panels']}
          value={panels.id}
          options={catalogue.panels.map((panel) => [
            panel.id,
            named(panel, texts.watts(formatNumber(panel.watts))),
          ])}
          onChange={(id) => change({ panels: { ...panels, id } })}
        />
        <TextField
          label={texts.count(texts.panels)}
          error={problems['panelCount']}
          value={panels.count}
          onChange={(count) => change({ panels: { ...panels, count } })}
          {...whole}
        />
        <SelectField
          label={texts.inverters}
          error={problems['inverters']}
          value={inverters.id}
          options={catalogue.inverters.map((inverter) => [
            inverter.id,
            named(
              inverter,
              inverter.ratedOutputWatts ? texts.watts(formatNumber(inverter.ratedOutputWatts)) : '',
            ),
          ])}
          onChange={(id) => change({ inverters: { ...inverters, id } })}
        />
        <TextField
          label={texts.count(texts.inverters)}
          hint={fitting && inverters.count.trim() === '' ? texts.inverterHint(fitting) : undefined}
          error={problems['inverterCount']}
          value={inverters.count}
          onChange={(count) => change({ inverters: { ...inverters, count } })}
          placeholder={fitting ? String(fitting) : undefined}
          {...whole}
        />
        {catalogue.batteries.length > 0 && (
          <SelectField
            label={texts.batteries}
            hint={batteries.id ? texts.batteryHint : undefined}
            value={batteries.id}
            options={[
              ['', texts.noBattery],
              ...catalogue.batteries.map(
                (battery) =>
                  [
                    battery.id,
                    named(battery, battery.capacityKwh ? texts.kwh(formatNumber(battery.capacityKwh)) : ''),
                  ] as const,
              ),
            ]}
            onChange={(id) => change({ batteries: { ...batteries, id } })}
          />
        )}
        {batteries.id && (
          <TextField
            label={texts.count(texts.batteries)}
            error={problems['batteryCount']}
            value={batteries.count}
            onChange={(count) => change({ batteries: { ...batteries, count } })}
            {...whole}
          />
        )}
      </div>
      <div className="grid gap-4 pt-6 sm:grid-cols-2">
        <TextField
          label={texts.production}
          hint={
            priced &&
            (priced.estimatedKwh
              ? productionHint(formatNumber(priced.estimatedKwh))
              : texts.productionUnknown)
          }
          error={problems['production']}
          value={draft.production}
          onChange={(production) => change({ production })}
          placeholder={priced?.estimatedKwh ? formatNumber(priced.estimatedKwh) : undefined}
          {...decimal}
        />
        <TextField
          label={texts.consumption}
          hint={texts.optional}
          error={problems['consumption']}
          value={draft.consumption}
          onChange={(consumption) => change({ consumption })}
          {...decimal}
        />
      </div>
      <OfferedList {...props} title={texts.adders} note={texts.addersNote} />
    </>
  )
}
