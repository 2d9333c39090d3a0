import { integer, json, row, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, scalar } from '../../../platform/sql/statements.ts'
import { type Figure, figureAmong, lookedAtFirst } from '../../kernel/counted.ts'
import { installationsOf, isOnItsProject } from '../installations/own-queries.ts'
import type { RecordScope } from './fleet-queries.ts'

const isOfCompany = ({ companyId }: Params<RecordScope>, of = '') =>
  sql`(${companyId}::text is null or ${raw(of)}company_id = ${companyId})`

/** Where installations are, and how many: a company's, of which counts are kept, or a member's own. */
export const listRegions = many(
  row<{ region: string; installations: number }>({ region: text, installations: integer }),
  ($: Params<RecordScope>) =>
    when(
      $.memberId,
      sql`select i.region, count(*)::int as installations from ${installationsOf($)} i
        where i.installer_id = ${$.installerId} and ${isOfCompany($, 'i.')}
        group by i.region order by i.region limit 500`,
      sql`select region, sum(installations)::int as installations from installation_counts
        where installer_id = ${$.installerId} and ${isOfCompany($)}
        group by region having sum(installations) > 0 order by region limit 500`,
    ),
)

/** How many alerts are open. */
export const countOpenAlerts = scalar({ alerts: integer }, ($: Params<RecordScope>) =>
  when(
    $.memberId,
    sql`select count(*)::int as alerts from ${installationsOf($)} i cross join lateral (
        select from alerts
        where installer_id = ${$.installerId} and installation_id = i.id and status <> 'resolved' offset 0
      ) a
      where i.installer_id = ${$.installerId} and ${isOfCompany($, 'i.')}`,
    sql`select coalesce(sum(alerts), 0)::int as alerts from alert_counts
      where installer_id = ${$.installerId} and status <> 'resolved' and ${isOfCompany($)}`,
  ),
)

/** The same two of a member who is on many, each looked at by itself along its index. */
export const countOfMany = one(
  row<{ installations: Figure; alerts: Figure }>({ installations: json, alerts: json }),
  ($: Params<RecordScope>) => {
    const ofCompany = when($.companyId, sql`and company_id = ${$.companyId}`)
    const alertsIn = (status: string) => sql`(select installation_id from alerts
      where installer_id = ${$.installerId} and status = ${raw(status)} ${ofCompany}
      order by triggered_at, id limit ${raw(lookedAtFirst + 1)})`
    const isOn = sql`(select ${isOnItsProject($)})`
    return sql`select ${figureAmong(
      sql`from installations where installer_id = ${$.installerId} and deleted_at is null ${ofCompany} order by name, id`,
      'i',
      isOn,
    )} as installations,
    ${figureAmong(
      sql`from (${alertsIn("'active'")} union all ${alertsIn("'acknowledged'")}) open`,
      'a',
      sql`(select ${isOn} from installations i
        where i.installer_id = ${$.installerId} and i.id = a.installation_id and i.deleted_at is null)`,
    )} as alerts`
  },
)
