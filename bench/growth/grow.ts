import pg from 'pg'
import { dealTables, type Growth, quoted } from './grow-deals.ts'
import { otherTables, webhookId } from './grow-others.ts'
import { createReadingMonths, readings } from './grow-readings.ts'
import type { GrowthTenant } from './tenant.ts'

const growing: Record<string, Growth> = { ...dealTables, ...otherTables, readings }
/** The tables that grow. */
export const growingTables = Object.keys(growing)

/** More rows at once than this are put in before their indexes are made. */
const afterwards = 50_000

const countTables = ['panel', 'installation', 'alert', 'invoice', 'credit', 'quarantine'].map(
  (name) => `${name}_counts`,
)

/** What lists say of their length, as the writes keep it. */
const counts = (installer: string) => `
  delete from panel_counts where installer_id = ${installer};
  insert into panel_counts select installer_id, company_id, status, count(*) from panels
    where installer_id = ${installer} and deleted_at is null group by 1, 2, 3;
  delete from installation_counts where installer_id = ${installer};
  insert into installation_counts select installer_id, company_id, region, count(*) from installations
    where installer_id = ${installer} group by 1, 2, 3;
  delete from alert_counts where installer_id = ${installer};
  insert into alert_counts select installer_id, company_id, status, severity, type, count(*) from alerts
    where installer_id = ${installer} group by 1, 2, 3, 4, 5;
  update installations i set worst = s.worst, last_day = s.last_day, planned = s.planned from (
    select o.id, coalesce(a.worst, 0) as worst, d.last_day, b.id is not null as planned from installations o left join (
      select installation_id as id, max(array_position(array['low', 'medium', 'high', 'critical'], severity)) as worst
      from alerts where installer_id = ${installer} and status <> 'resolved' group by 1
    ) a using (id) left join (
      select installation_id as id, max(day) as last_day from installation_days where installer_id = ${installer} group by 1
    ) d using (id) left join (
      select installation_id as id from billing_plans where installer_id = ${installer}
    ) b using (id) where o.installer_id = ${installer}
  ) s where i.installer_id = ${installer} and i.id = s.id
    and (i.worst, i.last_day, i.planned) is distinct from (s.worst, s.last_day, s.planned);
  delete from invoice_counts where installer_id = ${installer};
  insert into invoice_counts select installer_id, company_id, status, count(*) from invoices
    where installer_id = ${installer} group by 1, 2, 3;
  delete from credit_counts where installer_id = ${installer};
  insert into credit_counts select installer_id, company_id, count(*) from credits
    where installer_id = ${installer} group by 1, 2;
  delete from quarantine_counts where installer_id = ${installer};
  insert into quarantine_counts select installer_id, company_id, installation_id, count(*), 1, count(*), 1
    from quarantined_readings where installer_id = ${installer} and state = 'waiting' group by 1, 2, 3;
  delete from quarantine_totals where installer_id = ${installer};
  insert into quarantine_totals select installer_id, company_id, sum(summed_readings), sum(summed_changes) from quarantine_counts
    where installer_id = ${installer} group by 1, 2;`

/** Lets the tenant have `to` rows in each table where it had `from`; of projects half as many, as half of the leads are sold. */
export async function grow(
  url: string,
  tenant: GrowthTenant,
  from: number,
  to: number,
  {
    tables = growingTables,
    note = () => {},
  }: { tables?: readonly string[]; note?: (message: string) => void } = {},
): Promise<void> {
  if (tables.includes('readings')) await createReadingMonths(url, tenant)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set synchronous_commit = off; set maintenance_work_mem = '512MB'; set statement_timeout = 0;
      set timezone = 'UTC'`)
    // Neither foreign keys nor triggers, for who may: many tables would refer to what is not there.
    await client.query('set session_replication_role = replica').catch((error: pg.DatabaseError) => {
      if (error.code !== '42501') throw error
    })
    const installer = quoted(tenant.installerId)
    for (const table of tables) {
      const rows = growing[table]!
      const began = performance.now()
      const indexes = to - from >= afterwards ? await dropIndexes(client, table) : []
      // In one transaction with the clock, as every change is.
      await client.query(
        `${rows(tenant, from, to)}; update tenant_clocks set now = now() where installer_id = ${installer}`,
      )
      for (const index of indexes) await client.query(index)
      await client.query(`vacuum (freeze, analyze) ${table}`)
      note(`${table}: ${to.toLocaleString('en')} rows, ${Math.round((performance.now() - began) / 1000)} s`)
    }
    // Each is written once more: with all of its indexes that takes a quarter of an hour for a million.
    const indexes = to >= afterwards ? await dropIndexes(client, 'installations') : []
    await client.query(counts(installer))
    for (const index of indexes) await client.query(index)
    // In the order of their keys at every size, as they are registered, and then all seen to be there for everybody.
    await client.query('cluster installations using installations_pkey')
    await client.query('vacuum (freeze, analyze) installations')
    await client.query(`vacuum (full, freeze, analyze) ${countTables.join(', ')}, quarantine_totals`)
    await client.query(`
      insert into webhooks (installer_id, id, company_id, url, events, status, secrets, created_at, place, not_told)
      values (${installer}, '${webhookId}', ${installer}, 'https://example.com/hook', '{*}', 'enabled', '[]', now(), 0, '{}')
      on conflict do nothing;
      update webhooks w set place = ${to}, deliveries_due = c.due, deliveries_delivered = c.delivered,
        deliveries_failed = c.failed, counted_at = '-infinity'
      from (
        select count(*) filter (where state = 'due') as due, count(*) filter (where state = 'delivered') as delivered,
          count(*) filter (where state = 'failed') as failed
        from webhook_deliveries where installer_id = ${installer}
      ) c where w.installer_id = ${installer};
      update tenant_clocks set messages = ${to}, now = now() where installer_id = ${installer}`)
  } finally {
    await client.end()
  }
}

/** Those that hold no constraint, to be made again in one go; of the readings, whose months nothing refers to, the key too. */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  if (table === 'readings') {
    await client.query('alter table readings drop constraint readings_pkey')
    return ['alter table readings add primary key (installer_id, panel_id, at)']
  }
  const { rows } = await client.query<{ name: string; text: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ text }) => text)
}
