import { at, company, type Growth, id, isRare, oneOf, quoted, series } from './grow-deals.ts'
import type { GrowthTenant } from './tenant.ts'

/** The owner's, who reads them, and a member's who never does. */
const notifications: Growth = (tenant, from, to) => `
  insert into notifications (installer_id, id, member_id, at, text, project_id, read_at)
  select ${quoted(tenant.installerId)}, ${id('note', 'i')},
    case when i % 2 = 0 then ${quoted(tenant.memberIds.owner)} else ${quoted(tenant.repIds[0]!)} end, ${at(tenant, 'i')},
    'A project has moved', ${id('proj', 'i')}, case when i % 2 = 0 and not (i <= 400 and i % 20 = 8) then ${at(tenant, 'i')} end
  from ${series(from, to)}`

const mails: Growth = (tenant, from, to) => `
  insert into mails (installer_id, id, company_id, to_address, subject, body, created_at, state, attempts,
    next_attempt_at, sent_at, lead_id)
  select ${quoted(tenant.installerId)}, ${id('mail', 'i')}, ${company(tenant, 'i')}, 'customer' || i || '@example.com',
    'Your project has moved', 'It has.', ${at(tenant, 'i')},
    case when ${isRare('i')} then 'failed' when i <= 400 and i % 20 = 8 then 'queued' else 'sent' end, 1,
    ${at(tenant, 'i')} + interval '10 years', ${at(tenant, 'i')}, ${id('lead', 'i')}
  from ${series(from, to)}`

const regions = ['US-CA', 'US-AZ', 'US-TX', 'US-CO']

const installations: Growth = (tenant, from, to) => `
  insert into installations (installer_id, id, company_id, project_id, name, address, region, timezone, panel_count,
    panels_kw, created_at)
  select ${quoted(tenant.installerId)}, ${id('inst', 'i')}, ${company(tenant, 'i')}, ${id('proj', 'i')},
    case when ${isRare('i')} then 'Quillfeather house ' else 'House ' end || reverse(lpad(i::text, 8, '0')),
    (i % 900) || ' Market St, San Diego', case when ${isRare('i')} then 'US-NM' else ${oneOf(regions, 'i')} end,
    'America/Los_Angeles', 1, 1 + i % 20, ${at(tenant, 'i')}
  from ${series(from, to)}`

const panels: Growth = (tenant, from, to) => `
  insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, created_at, deleted_at)
  select ${quoted(tenant.installerId)}, ${id('pnl', 'i')}, ${company(tenant, 'i')}, ${id('inst', 'i')}, 'Panel ' || i, 1,
    case when ${isRare('i')} then 'maintenance' when i % 10 = 0 then 'inactive' else 'active' end, ${at(tenant, 'i')},
    case when i % 100 = 1 then ${at(tenant, 'i')} end
  from ${series(from, to)}`

const kinds = ['underperformance', 'outage', 'data_gap']
const severities = ['low', 'medium', 'high']

/** One of twenty is open. */
const alerts: Growth = (tenant, from, to) => `
  insert into alerts (installer_id, id, company_id, installation_id, panel_id, type, severity, status, title,
    description, recommended_action, triggered_at, resolved_at)
  select ${quoted(tenant.installerId)}, ${id('alrt', 'i')}, ${company(tenant, 'i')}, ${id('inst', 'i')}, null,
    case when ${isRare('i')} then 'anomaly' else ${oneOf(kinds, 'i')} end,
    case when ${isRare('i')} then 'critical' else ${oneOf(severities, 'i / 3')} end,
    case when i % 20 = 7 then 'active' when i <= 400 and i % 20 = 8 then 'acknowledged' else 'resolved' end, 'Less than usual',
    'It made less than its neighbours.', 'Look at it.', ${at(tenant, 'i')},
    case when i % 20 = 7 or (i <= 400 and i % 20 = 8) then null else ${at(tenant, 'i')} end
  from ${series(from, to)}`

const quarantined: Growth = (tenant, from, to) => `
  insert into quarantined_readings (installer_id, id, company_id, installation_id, panel_id, at, microkwh, most_microkwh,
    interval_ms, state, received_at)
  select ${quoted(tenant.installerId)}, ${id('qrd', 'i')}, ${company(tenant, 'i')}, ${id('inst', 'i')}, ${id('pnl', 'i')},
    ${at(tenant, 'i')}, 9000000, 1000000, 3600000, case when i % 2 = 0 then 'dropped' else 'waiting' end, ${at(tenant, 'i')}
  from ${series(from, to)}`

const customer = (number: string) =>
  `jsonb_build_object('name', case when ${isRare(number)} then 'Quill Quillfeather' else 'Customer ' || ${number} end,
    'email', 'customer' || ${number} || '@example.com', 'address', null)`

const months = `date '2026-01-01' + (i % 12) * interval '1 month'`

const plans: Growth = (tenant, from, to) => `
  insert into billing_plans (installer_id, installation_id, kind, rate, escalator_percent, start_date, currency, customer,
    payment_term_days, created_at, updated_at, ended_at)
  select ${quoted(tenant.installerId)}, ${id('inst', 'i')}, 'lease', 120, 0, date '2026-01-01', 'USD', ${customer('i')}, 30,
    now(), now(), case when ${isRare('i')} then now() end
  from ${series(from, to)} where i % 20 <> 8 or i > 400`

const billingMonths: Growth = (tenant, from, to) => `
  insert into billing_months (installer_id, installation_id, month, state, reason, at)
  select ${quoted(tenant.installerId)}, ${id('inst', 'i')}, date '2026-10-01',
    case when i % 20 in (7, 9) then 'held' else 'drafted' end, case when i % 20 in (7, 9) then 'incomplete' end, ${at(tenant, 'i')}
  from ${series(from, to)}`

const status = `case when i % 20 = 1 then 'draft' when i % 5 = 2 then 'open' when ${isRare('i')} then 'void' else 'paid' end`

const invoices: Growth = (tenant, from, to) => `
  insert into invoices (installer_id, id, company_id, installation_id, number, status, currency, customer, period_start,
    period_end, due_date, payment_term_days, line_items, amount_due, amount_paid, billing_month, created_at, finalized_at,
    paid_at, voided_at, rendering)
  select ${quoted(tenant.installerId)}, ${id('inv', 'i')}, ${company(tenant, 'i')}, ${id('inst', 'i')},
    case when status <> 'draft' then 'INV-' || i end, status, 'USD', ${customer('i')}, month, month + interval '1 month' - interval '1 day',
    case when status <> 'draft' then (month + interval '2 months')::date end, 30, '[]', 100 + i % 900,
    case when status = 'paid' then 100 + i % 900 else 0 end, month, ${at(tenant, 'i')},
    case when status <> 'draft' then now() end, case when status = 'paid' then now() end,
    case when status = 'void' then now() end, '{"id":"' || i || '","text":"' || repeat('sunny roof ', 40) || '"}'
  from (select i, (${months})::date as month, ${status} as status from ${series(from, to)}) numbered`

const credits: Growth = (tenant, from, to) => `
  insert into credits (installer_id, id, company_id, invoice_id, installation_id, currency, customer, amount, used,
    created_at, actor_name)
  select ${quoted(tenant.installerId)}, ${id('cred', 'i')}, ${company(tenant, 'i')}, ${id('inv', 'i')}, ${id('inst', 'i')}, 'USD',
    ${customer('i')}, 10, case when i <= 400 and i % 20 = 8 then 4 else 10 end, ${at(tenant, 'i')}, 'Olivia Grant'
  from ${series(from, to)}`

export const webhookId = `we_${'1'.padStart(20, '0')}`
/** What is sent is kept for 30 days: it comes so much later than other records that none of it is swept. */
export const sentLaterMs = 20 * 86_400_000
const sentAt = (tenant: GrowthTenant, number: string) =>
  at({ ...tenant, beganAt: new Date(tenant.beganAt.getTime() + sentLaterMs) }, number)

const webhookMessages: Growth = (tenant, from, to) => `
  insert into webhook_messages (installer_id, event_at, event_ordinal, for_dealer, body, number, type, company_id,
    to_dealers, subject_id, lead_id, head, data_from)
  select ${quoted(tenant.installerId)}, ${sentAt(tenant, 'i')}, 0, false, '{}', i,
    case when ${isRare('i')} then 'note.created' else 'lead.updated' end, ${company(tenant, 'i')}, true,
    ${id('lead', 'i')}, ${id('lead', 'i')}, '{"data":{}', 1
  from ${series(from, to)}`

const webhookDeliveries: Growth = (tenant, from, to) => `
  insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state,
    next_attempt_at, created_at)
  select ${quoted(tenant.installerId)}, '${webhookId}', ${id('dlv', 'i')}, sent_at, 0, false, 'lead.updated',
    state, case when state = 'due' then sent_at + interval '10 years' else sent_at end, sent_at
  from (select i, ${sentAt(tenant, 'i')} as sent_at, case when ${isRare('i')} then 'failed'
    when i <= 400 and i % 20 = 8 then 'due' else 'delivered' end as state from ${series(from, to)}) numbered`

const imports: Growth = (tenant, from, to) => `
  insert into imports (installer_id, id, company_id, name, bytes, encoding, delimiter, header, header_hash, samples,
    mapping, state, actor_kind, actor_name, created_at, ended_at)
  select ${quoted(tenant.installerId)}, ${id('imp', 'i')}, ${company(tenant, 'i')}, 'leads.csv', 1000, 'utf-8', ',', '{Name}',
    'hash', '[]', '{firstName}', 'done', 'member', 'Olivia Grant', ${at(tenant, 'i')}, ${at(tenant, 'i')}
  from ${series(from, to)}`

const runs: Growth = (tenant, from, to) => `
  insert into long_jobs (installer_id, id, company_id, kind, subject_id, input, state, total, done, actor_kind, actor_name,
    actor_company_id, created_at, ended_at)
  select ${quoted(tenant.installerId)}, ${id('job', 'i')}, ${quoted(tenant.installerId)}, 'billing_run', '2026-' || i, '{"month":"2026-10-01"}', 'done',
    10, 10, 'member', 'Olivia Grant', ${quoted(tenant.installerId)}, ${at(tenant, 'i')}, ${at(tenant, 'i')}
  from ${series(from, to)}`

const outcomes: Growth = (tenant, from, to) => `
  insert into billing_run_outcomes (installer_id, run_id, installation_id, outcome, amount_due, currency)
  select ${quoted(tenant.installerId)}, ${id('job', '1')}, ${id('inst', 'i')},
    case when ${isRare('i')} then 'failed' when i % 20 = 8 then 'held' else 'drafted' end, 100, 'USD'
  from ${series(from, to)}`

const links: Growth = (tenant, from, to) => `
  insert into shared_links (installer_id, id, project_id, kind, token_hash, created_by, created_at, expires_at)
  select ${quoted(tenant.installerId)}, ${id('link', 'i')}, ${id('proj', 'case when i % 2 = 0 then 1 else i end')}, 'proposal',
    decode(md5(i::text), 'hex'), ${quoted(tenant.memberIds.owner)}, ${at(tenant, 'i')}, ${at(tenant, 'i')}
  from ${series(from, to)}`

const keys: Growth = (tenant, from, to) => `
  insert into api_keys (id, company_id, name, prefix, hash, access, interfaces, created_at, revoked_at, installer_id)
  select ${id('key', 'i')}, ${quoted(tenant.installerId)}, 'old', 'sk', decode(md5('growth' || i), 'hex'), 'full', '{company}',
    ${at(tenant, 'i')}, ${at(tenant, 'i')}, ${quoted(tenant.installerId)}
  from ${series(from, to)}`

const importProblems: Growth = (tenant, from, to) => `
  insert into import_problems (installer_id, import_id, row, ordinal, message, refused)
  select ${quoted(tenant.installerId)}, ${id('imp', '1')}, i, 0, 'The email is not one.', i % 2 = 0
  from ${series(from, to)}`

const erasures: Growth = (tenant, from, to) => `
  insert into erasures (installer_id, lead_id, company_id, reason, erased_at, done_at, claimed_until, listed)
  select ${quoted(tenant.installerId)}, ${id('lead', '100000000 + i')}, ${company(tenant, 'i')}, 'request', ${at(tenant, 'i')},
    ${at(tenant, 'i')}, ${at(tenant, 'i')}, true
  from ${series(from, to)}`

const submissions: Growth = (tenant, from, to) => `
  insert into submissions (installer_id, member_id, key, request_hash, begun_at, status)
  select ${quoted(tenant.installerId)}, ${quoted(tenant.memberIds.owner)}, 'key' || i, 'hash', now(), 200 from ${series(from, to)}`

const invitations: Growth = (tenant, from, to) => `
  insert into invitations (installer_id, id, company_id, member_id, email, token_hash, by_name, created_at, expires_at,
    state, ended_at)
  select ${quoted(tenant.installerId)}, ${id('invt', 'i')}, ${quoted(tenant.installerId)}, ${quoted(tenant.memberIds.newRep)},
    'old' || i || '@example.com', decode(md5(i::text), 'hex'), 'Olivia Grant', ${at(tenant, 'i')}, ${at(tenant, 'i')}, 'replaced',
    ${at(tenant, 'i')}
  from ${series(from, to)}`

const sessions: Growth = (tenant, from, to) => `
  insert into auth_sessions (id, "expiresAt", token, "createdAt", "updatedAt", "userId")
  select 'growth' || i, now() + interval '10 days', 'growth' || i, now(), now(), user_id
  from members m, ${series(from, to)} where m.installer_id = ${quoted(tenant.installerId)} and m.id = ${quoted(tenant.repIds[0]!)}`

const proposals: Growth = (tenant, from, to) => `
  insert into agent_proposals (installer_id, id, company_id, key_id, agent_name, kind, lead_id, project_id, basis, input,
    digest, summary, state, created_at, expires_at, decided_at, decided_by_name)
  select ${quoted(tenant.installerId)}, ${id('agp', 'i')}, ${company(tenant, 'i')}, ${id('key', '0')}, 'Ada',
    case when i % 2 = 0 then 'sale' else 'move' end, ${id('lead', 'i')}, ${id('proj', 'i')}, 'stage',
    case when i % 2 = 0 then '{}' else jsonb_build_object('kind', 'move', 'project', ${id('proj', 'i')}, 'stage', 'Design') end,
    decode(md5(i::text), 'hex'), 'Move a project', state, made_at, made_at + interval '10 years',
    case when state <> 'waiting' then made_at end, 'Olivia Grant'
  from (select i, ${at(tenant, 'i')} as made_at, case when i <= 400 and i % 20 in (7, 9) then 'waiting'
    else 'approved' end as state from ${series(from, to)}) numbered`

/** Ninety days of a panel are a twentieth of the rows. */
const panelDays: Growth = (tenant, from, to) => `
  insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours)
  select ${quoted(tenant.installerId)}, ${id('pnl', '1 + i / 90')}, current_date - i % 90, 3000000, 24,
    array_fill(125000::bigint, array[24])
  from ${series(from, to)}`

const installationDays: Growth = (tenant, from, to) => `
  insert into installation_days (installer_id, installation_id, day, microkwh, readings, panels, hours)
  select ${quoted(tenant.installerId)}, ${id('inst', '1 + i / 90')}, current_date - i % 90, 3000000, 24, 1,
    array_fill(125000::bigint, array[24])
  from ${series(from, to)}`

export const otherTables: Record<string, Growth> = {
  ...{ notifications, mails, installations, panels, alerts, quarantined_readings: quarantined },
  ...{ billing_plans: plans, billing_months: billingMonths, invoices, credits },
  ...{ webhook_messages: webhookMessages, webhook_deliveries: webhookDeliveries, imports, long_jobs: runs },
  ...{ billing_run_outcomes: outcomes, shared_links: links, api_keys: keys, import_problems: importProblems },
  ...{ erasures, submissions, invitations, auth_sessions: sessions, agent_proposals: proposals },
  ...{ panel_days: panelDays, installation_days: installationDays },
}
