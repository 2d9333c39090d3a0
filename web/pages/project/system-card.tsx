import { Link } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { common } from '../../texts/en/common.ts'
import { project as texts } from '../../texts/en/project.ts'
import { buttonClass } from '../../ui/button.tsx'
import { formatMoney, formatNumber } from '../../ui/format.ts'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { Fact, Facts } from './facts.tsx'
import type { ProjectResponse } from './use-project.ts'

/** What was sold: a solar system, or products. */
export function SystemCard({ project }: { project: ProjectResponse }) {
  const edit = project.can.write && <EditLink project={project} />
  return project.system ? (
    <Solar system={project.system} installationId={project.installationId} edit={edit} />
  ) : (
    <Products products={project.products ?? []} edit={edit} />
  )
}

function EditLink({ project: { id, productLine } }: { project: ProjectResponse }) {
  return (
    <Link to="/projects/$id/items" params={{ id }} className={buttonClass('quiet', true)}>
      <Pencil className="size-4" aria-hidden />
      {common.edit}
      <span className="sr-only"> {productLine === 'solar' ? texts.system : texts.products}</span>
    </Link>
  )
}

/** 21 × Qcells Q.TRON 400 */
function counted(count: number | null, ...words: (string | null)[]): string {
  const name = words.filter(Boolean).join(' ')
  return [count === null ? '' : formatNumber(count), name].filter(Boolean).join(' × ')
}

/** Tile roof × 10,250: by whatever it is measured. */
function sold(name: string, quantity = 1): string {
  return quantity === 1 ? name : `${name} × ${formatNumber(quantity)}`
}

interface SolarProps {
  system: NonNullable<ProjectResponse['system']>
  installationId: string | null
  edit: ReactNode
}

function Solar({ system, installationId, edit }: SolarProps) {
  const { panels, inverters, batteries, pricePerWatt, adders } = system
  const rows: [string, string][] = [
    [texts.size, system.sizeKw && `${formatNumber(system.sizeKw)} kW`],
    [texts.panels, counted(panels.count, panels.manufacturer, panels.model)],
    [
      inverters.microinverter ? texts.microinverters : texts.inverters,
      counted(inverters.count, inverters.manufacturer, inverters.model),
    ],
    [texts.batteries, batteries && counted(batteries.count, batteries.manufacturer, batteries.model)],
    [texts.production, system.annualProductionKwh && `${formatNumber(system.annualProductionKwh)} kWh`],
    [texts.consumption, system.annualConsumptionKwh && `${formatNumber(system.annualConsumptionKwh)} kWh`],
    [texts.perWatt, pricePerWatt.final && formatMoney(pricePerWatt.final)],
  ].filter((row): row is [string, string] => Boolean(row[1]))
  return (
    <Card>
      <CardHeader title={texts.system} actions={edit} />
      <Facts>
        {rows.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
        {installationId && (
          <Fact label={texts.installation}>
            <Link
              to="/monitoring/$id"
              params={{ id: installationId }}
              className="text-action hover:underline"
            >
              {texts.seeInstallation}
            </Link>
          </Fact>
        )}
      </Facts>
      {adders.length > 0 && (
        <>
          <h3 className="px-5 pt-1 text-[0.87rem] font-semibold">{texts.adders}</h3>
          <Facts>
            {adders.map(({ name, quantity, total }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same adder may be sold twice
              <Fact key={i} label={sold(name, quantity)}>
                {total && formatMoney(total)}
              </Fact>
            ))}
          </Facts>
        </>
      )}
    </Card>
  )
}

interface ProductsProps {
  products: NonNullable<ProjectResponse['products']>
  edit: ReactNode
}

function Products({ products, edit }: ProductsProps) {
  return (
    <Card>
      <CardHeader title={texts.products} actions={edit} />
      {products.length === 0 ? (
        <p className="px-5 pb-5 text-ink-soft">{texts.noProducts}</p>
      ) : (
        <Facts>
          {products.map(({ name, quantity, price }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same product may be sold twice
            <Fact key={i} label={sold(name, quantity)}>
              {price && formatMoney(price)}
            </Fact>
          ))}
        </Facts>
      )}
    </Card>
  )
}
