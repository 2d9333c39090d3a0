import { findAnyPlan, findBilledInstallation } from '../../src/domain/billing/plans/plan-queries.ts'
import { type PlanInput, setPlan } from '../../src/domain/billing/plans/set-plan.ts'
import { newId } from '../../src/platform/ids.ts'
import type { Answer, App } from './app.ts'
import type { TestDatabase } from './database.ts'
import type { Actors } from './factories.ts'

export const invoicesPath = '/catalog/v1/billing/invoices'
export const plansPath = '/catalog/v1/billing/plans'

/** An installation of this company; answers its id. */
export async function site(
  { rows }: TestDatabase,
  { company }: Actors,
  { name = 'Moreno residence', region = 'US-CO', timezone = 'America/Denver' } = {},
): Promise<string> {
  const id = newId('inst')
  await rows(
    `insert into installations (installer_id, id, company_id, name, address, region, timezone, created_at)
      values ($1, $2, $3, $4, '1 Market St, Denver, CO 80202', $5, $6, now())`,
    [company.installerId, id, company.id, name, region, timezone],
  )
  return id
}

/** What an installation made on each day from one to another, in kWh, by its only panel; replaces what was there. */
export async function made(
  { rows }: TestDatabase,
  { company }: Actors,
  installationId: string,
  firstDay: string,
  lastDay: string,
  kwh: number,
): Promise<void> {
  const values = [company.installerId, installationId, firstDay, lastDay, Math.round(kwh * 1e6)]
  await rows(
    `insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, created_at)
      select $1, $4, $2, $3, 'Roof', 5, 'active', now()
      where not exists (select from panels where installer_id = $1 and installation_id = $3)`,
    [company.installerId, company.id, installationId, newId('pnl')],
  )
  await rows(
    `insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours)
      select $1, p.id, d::date, $5::bigint, 1, '{}' from panels p, generate_series($3::date, $4::date, '1 day') d
      where p.installer_id = $1 and p.installation_id = $2
      on conflict (installer_id, panel_id, day) do update set microkwh = excluded.microkwh`,
    values,
  )
  await rows(
    `insert into installation_days (installer_id, installation_id, day, microkwh, readings, panels, hours)
      select $1, $2, d::date, $5::bigint, 1, 1, '{}' from generate_series($3::date, $4::date, '1 day') d
      on conflict (installer_id, installation_id, day) do update set microkwh = excluded.microkwh`,
    values,
  )
}

export const ppa: PlanInput = {
  kind: 'ppa',
  rate: '0.12',
  startDate: '2026-01-01',
  customer: { name: 'Ada Moreno', email: 'ada@example.com', address: '1 Market St, Denver, CO 80202' },
}

/** A plan made on its first day, so that the job bills from then on. */
export async function plan(of: Actors, installationId: string, more: Partial<PlanInput> = {}): Promise<void> {
  const input = { ...ppa, ...more }
  await setPlan(of.as(new Date(`${input.startDate}T12:00:00Z`)), installationId, input)
}

export async function planned({ db }: TestDatabase, { company }: Actors, installationId: string) {
  return {
    plan: (await findAnyPlan(db, { installerId: company.installerId, installationId }))!,
    installation: (await findBilledInstallation(db, {
      installerId: company.installerId,
      companyId: null,
      id: installationId,
    }))!,
  }
}

export const draftBody = {
  customer: { name: 'Ada Moreno', email: 'ada@example.com', address: '1 Market St' },
  line_items: [{ description: 'Panel cleaning', quantity: 21, unit: 'panel', unit_price: 6.5 }],
}

export function post(app: App, key: string, path: string, body?: unknown): Promise<Answer> {
  return app.call('POST', `${invoicesPath}${path}`, { key, ...(body === undefined ? {} : { body }) })
}

export type State = 'draft' | 'open' | 'paid' | 'void'

/** An invoice in this state; answers its id. */
export async function invoiceIn(
  app: App,
  key: string,
  state: State,
  body: object = draftBody,
): Promise<string> {
  const { id } = (await post(app, key, '', body)).body
  if (state !== 'draft') await post(app, key, `/${id}/finalize`)
  if (state === 'paid') await post(app, key, `/${id}/pay`)
  if (state === 'void') await post(app, key, `/${id}/void`)
  return id
}

let credited = 0

/** A credit of 40, from an invoice of 100 that was paid in part and voided, of somebody who has no other; answers its id. */
export async function creditIn(app: App, key: string, body: object = {}): Promise<string> {
  const id = await invoiceIn(app, key, 'open', {
    customer: { name: 'Ada Moreno', email: `ada${++credited}@example.org` },
    line_items: [{ description: 'Panel cleaning', unit_price: 100 }],
    ...body,
  })
  await post(app, key, `/${id}/pay`, { amount: 40 })
  await post(app, key, `/${id}/void`)
  const { data } = (await app.get('/catalog/v1/billing/credits', key)).body
  return data.find((credit: { invoice_id: string }) => credit.invoice_id === id).id
}
