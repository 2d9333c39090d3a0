import { sell as texts } from '../texts/en/sell.ts'
import { Field, Select, TextInput } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { suggestedInverters } from './fitting.ts'
import type { ItemsProps } from './items-draft.ts'
import { OfferedList } from './offered-list.tsx'

const named = ({ manufacturer, model }: { manufacturer: string; model: string | null }, detail: string) =>
  [manufacturer, model, detail].filter(Boolean).join(' ')

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
        <Field label={texts.panels} error={problems['panels']}>
          <Select
            value={panels.id}
            onChange={(event) => change({ panels: { ...panels, id: event.target.value } })}
          >
            {catalogue.panels.map((panel) => (
              <option key={panel.id} value={panel.id}>
                {named(panel, texts.watts(formatNumber(panel.watts)))}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={texts.count(texts.panels)} error={problems['panelCount']}>
          <TextInput
            value={panels.count}
            onChange={(event) => change({ panels: { ...panels, count: event.target.value } })}
            inputMode="numeric"
            autoComplete="off"
          />
        </Field>
        <Field label={texts.inverters} error={problems['inverters']}>
          <Select
            value={inverters.id}
            onChange={(event) => change({ inverters: { ...inverters, id: event.target.value } })}
          >
            {catalogue.inverters.map((inverter) => (
              <option key={inverter.id} value={inverter.id}>
                {named(
                  inverter,
                  inverter.ratedOutputWatts ? texts.watts(formatNumber(inverter.ratedOutputWatts)) : '',
                )}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label={texts.count(texts.inverters)}
          hint={fitting && inverters.count.trim() === '' ? texts.inverterHint(fitting) : undefined}
          error={problems['inverterCount']}
        >
          <TextInput
            value={inverters.count}
            onChange={(event) => change({ inverters: { ...inverters, count: event.target.value } })}
            inputMode="numeric"
            autoComplete="off"
            placeholder={fitting ? String(fitting) : undefined}
          />
        </Field>
        {catalogue.batteries.length > 0 && (
          <Field label={texts.batteries} hint={batteries.id ? texts.batteryHint : undefined}>
            <Select
              value={batteries.id}
              onChange={(event) => change({ batteries: { ...batteries, id: event.target.value } })}
            >
              <option value="">{texts.noBattery}</option>
              {catalogue.batteries.map((battery) => (
                <option key={battery.id} value={battery.id}>
                  {named(battery, battery.capacityKwh ? texts.kwh(formatNumber(battery.capacityKwh)) : '')}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {batteries.id && (
          <Field label={texts.count(texts.batteries)} error={problems['batteryCount']}>
            <TextInput
              value={batteries.count}
              onChange={(event) => change({ batteries: { ...batteries, count: event.target.value } })}
              inputMode="numeric"
              autoComplete="off"
            />
          </Field>
        )}
      </div>
      <div className="grid gap-4 pt-6 sm:grid-cols-2">
        <Field
          label={texts.production}
          hint={
            priced &&
            (priced.estimatedKwh
              ? productionHint(formatNumber(priced.estimatedKwh))
              : texts.productionUnknown)
          }
          error={problems['production']}
        >
          <TextInput
            value={draft.production}
            onChange={(event) => change({ production: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
            placeholder={priced?.estimatedKwh ? formatNumber(priced.estimatedKwh) : undefined}
          />
        </Field>
        <Field label={texts.consumption} hint={texts.optional} error={problems['consumption']}>
          <TextInput
            value={draft.consumption}
            onChange={(event) => change({ consumption: event.target.value })}
            inputMode="decimal"
            autoComplete="off"
          />
        </Field>
      </div>
      <OfferedList {...props} title={texts.adders} note={texts.addersNote} />
    </>
  )
}
