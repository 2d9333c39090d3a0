import { newId } from '../../src/platform/ids.ts'
import type { TestDatabase } from './database.ts'
import { site } from './energy.ts'
import type { Actors } from './factories.ts'

type Rows = Pick<TestDatabase, 'rows'>

/** An endpoint of this company that nothing can be sent to, and one delivery that failed. */
export async function webhookIn({ rows }: Rows, { company }: Pick<Actors, 'company'>) {
  const ids = { webhookId: newId('we'), deliveryId: newId('dlv') }
  await rows(
    `insert into webhooks (installer_id, company_id, id, url, events, status, secrets, place, not_told, created_at)
     values ($1, $2, $3, 'https://localhost:1/', '{invoice.voided}', 'enabled', '[{"text":"whsec_AAAA","own":false,"expiresAt":null}]', 0, '{}', now())`,
    [company.installerId, company.id, ids.webhookId],
  )
  await rows(
    `insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state,
       next_attempt_at, created_at)
     values ($1, $2, $3, now(), 0, false, 'lead.created', 'failed', now(), now())`,
    [company.installerId, ids.webhookId, ids.deliveryId],
  )
  return ids
}

/** An installation of this company, built in a project, with an open alert and a quarantined reading. */
export async function watchedIn(database: Rows, of: Pick<Actors, 'company'>, projectId: string) {
  const { installation, panels } = await site(database, of, 'UTC')
  await database.rows('update installations set project_id = $2 where id = $1', [installation, projectId])
  await database.rows('update projects set installation_id = $1 where id = $2', [installation, projectId])
  const alertId = newId('alrt')
  await database.rows(
    `insert into alerts (installer_id, id, company_id, installation_id, type, severity, status, title, description,
       recommended_action, triggered_at)
     values ($1, $2, $3, $4, 'outage', 'high', 'active', 'Nothing', 'It makes nothing.', 'Look.', now())`,
    [of.company.installerId, alertId, of.company.id, installation],
  )
  const quarantinedId = newId('qrd')
  await database.rows(
    `with kept as (
       insert into quarantined_readings (installer_id, id, company_id, installation_id, panel_id, at, microkwh,
         most_microkwh, interval_ms, state, received_at)
       values ($1, $2, $3, $4, $5, '2026-05-01T18:00Z', 314000000, 546000, 3600000, 'waiting', now())
     )
     insert into quarantine_counts (installer_id, company_id, installation_id, readings, changes)
     values ($1, $3, $4, 1, 1)`,
    [of.company.installerId, quarantinedId, of.company.id, installation, panels[0]],
  )
  return { installationId: installation, alertId, quarantinedId }
}
