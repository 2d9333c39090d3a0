import type pg from 'pg'
import { updatedAtMark } from '../../src/domain/deals/renderings/rendering.ts'
import { createRandom } from '../random.ts'
import { leadRow, projectRow } from './insert-rows.ts'
import { sampleDeal } from './sample-deals.ts'
import type { Tenant } from './tenants.ts'

const idMark = '@id@'
const start = new Date('2024-01-01T00:00:00Z')
const stamp = `to_char(g.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Fills a tenant from one rendered deal, a minute between rows; the first `projects` leads are sold. */
export async function fillLargeTenant(
  client: pg.Client,
  { directory }: Tenant,
  leads: number,
  projects: number,
): Promise<void> {
  const { installerId } = directory
  const place = {
    directory,
    companyId: installerId,
    index: 1,
    pair: 0,
    at: start,
    leadId: `lead_${idMark}`,
    projectId: `proj_${idMark}`,
  }
  const sold = sampleDeal({ ...place, sold: true }, createRandom(1))
  const unsold = sampleDeal({ ...place, sold: false }, createRandom(1))
  sold.lead.externalId = null
  unsold.lead.externalId = null
  sold.files = []
  if (projects > 0) await multiply(client, 'leads', leadRow(sold, directory, updatedAtMark), 0, projects)
  if (projects > 0)
    await multiply(client, 'projects', projectRow(sold, directory, updatedAtMark), 0, projects)
  await multiply(client, 'leads', leadRow(unsold, directory, updatedAtMark), projects, leads)
}

async function multiply(
  client: pg.Client,
  table: 'leads' | 'projects',
  template: Record<string, unknown>,
  from: number,
  to: number,
): Promise<void> {
  const columns = Object.keys(template)
  const values = columns.map((column) => {
    if (column === 'updated_at' || column === 'created_at') return 'g.at'
    const value = template[column]
    if (typeof value !== 'string' || !value.includes(idMark)) return `t.${column}`
    return `replace(replace(t.${column}, '${idMark}', g.digits), E'\\x02', ${stamp})`
  })
  await client.query({
    text: `insert into ${table} (${columns.join(', ')})
      select ${values.join(', ')} from json_populate_recordset(null::${table}, $1) t
      cross join (select lpad(i::text, 26, '0') as digits, $2::timestamptz + i * interval '1 minute' as at
        from generate_series($3::int, $4::int) i) g`,
    values: [JSON.stringify([template]), start, from, to - 1],
  })
}
