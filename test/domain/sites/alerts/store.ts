import type { Company } from '../../../../src/domain/kernel/tenant/company.ts'
import type { Made, MeasuredInstallation } from '../../../../src/domain/sites/alerts/measured-installation.ts'
import { newId } from '../../../../src/platform/ids.ts'
import type { TestDatabase } from '../../../support/database.ts'

/** Puts simulated installations with what they made where the energy's roll-ups are; answers their new ids by the old. */
export async function store(
  { rows }: Pick<TestDatabase, 'rows'>,
  { id: companyId, installerId }: Pick<Company, 'id' | 'installerId'>,
  sites: readonly MeasuredInstallation[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const site of sites) {
    ids.set(site.id, newId('inst'))
    for (const panel of site.panels) ids.set(panel.id, newId('pnl'))
  }
  await insert(
    rows,
    `insert into installations (installer_id, id, company_id, name, address, region, timezone, panel_count, created_at)
     select $1, r.id, $2, r.name, '1 Market St', 'XX', r.timezone, r.panels, '2020-01-01Z'
     from json_to_recordset($3) as r(id text, name text, timezone text, panels integer)`,
    [installerId, companyId],
    sites.map(({ id, name, timezone, panels }) => ({
      id: ids.get(id),
      name,
      timezone,
      panels: panels.length,
    })),
  )
  const panels = sites.flatMap((site) => site.panels.map((panel) => ({ site, panel })))
  await insert(
    rows,
    `insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, created_at)
     select $1, r.id, $2, r.site, r.name, r.kw, 'active', '2020-01-01Z'
     from json_to_recordset($3) as r(id text, site text, name text, kw numeric)`,
    [installerId, companyId],
    panels.map(({ site, panel }) => ({
      id: ids.get(panel.id),
      site: ids.get(site.id),
      name: panel.name,
      kw: panel.capacityKw,
    })),
  )
  await insert(
    rows,
    `insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours)
     select $1, r.id, date '1970-01-01' + r.day, r.microkwh, r.readings, r.hours
     from json_to_recordset($2) as r(id text, day integer, microkwh bigint, readings integer, hours bigint[])`,
    [installerId],
    panels.flatMap(({ panel }) => dayRows(ids.get(panel.id)!, panel)),
  )
  await insert(
    rows,
    `insert into installation_days (installer_id, installation_id, day, microkwh, readings, panels, hours)
     select $1, r.id, date '1970-01-01' + r.day, r.microkwh, r.readings, 1, r.hours
     from json_to_recordset($2) as r(id text, day integer, microkwh bigint, readings integer, hours bigint[])`,
    [installerId],
    sites.flatMap((site) => dayRows(ids.get(site.id)!, site.made)),
  )
  return ids
}

function dayRows(id: string, { days, hours }: Made) {
  const micro = (kwh: number | null) => (kwh === null ? null : Math.round(kwh * 1e6))
  return [...days].map(([day, { kwh, readings }]) => ({
    id,
    day,
    microkwh: micro(kwh),
    readings,
    hours: hours.get(day)!.map(micro),
  }))
}

async function insert(rows: TestDatabase['rows'], text: string, values: unknown[], records: object[]) {
  for (let from = 0; from < records.length; from += 10_000)
    await rows(text, [...values, JSON.stringify(records.slice(from, from + 10_000))])
}
