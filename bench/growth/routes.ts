import type { Call } from './call.ts'

/** The route that a call is of: `GET /console/api/leads/{}/activities`. */
export function routeOf({ name }: Pick<Call, 'name'>): string {
  const path = name.replace(/^console /, '/console/api').split(/[?, ]/)[0]!
  return normal(path)
}

/** However what stands for an id is written. */
export const normal = (path: string): string =>
  path.replace(/\{\w+\}|:\w+|\b[a-z]+_0\d{10,}\b/g, '{}').replace(/\/$/, '')

const oneRecord = 'one record and what belongs to it, by key'
const few = 'as many as a company has people, dealers, stages or goods: its directory holds them in memory'

/** Routes that read and need no call of their own, and why. */
export const notMeasured: Record<string, string> = {
  ...Object.fromEntries(
    [
      ...[
        '/leads/{}',
        '/leads/{}/privacy',
        '/leads/{}/sale',
        '/projects/{}',
        '/projects/{}/move',
        '/companies/{}',
      ],
      ...[
        '/projects/{}/files/{}',
        '/projects/{}/files/{}/thumbnail',
        '/projects/{}/folders/{}',
        '/projects/{}/proposal',
      ],
      ...[
        '/projects/{}/proposal/logo',
        '/mails/{}',
        '/mails/samples',
        '/keys/{}',
        '/webhooks/{}/deliveries/{}',
      ],
      ...[
        '/billing/invoices/{}',
        '/billing/invoices/{}/pdf',
        '/imports/{}/undo',
        '/calendar/feed',
        '/retention',
      ],
      ...['/session', '/account', '/entrance', '/invitations', '/views'],
    ].map((path) => [`/console/api${path}`, oneRecord]),
  ),
  ...Object.fromEntries(
    ['/catalogue', '/ladders', '/adders', '/adders.csv', '/equipment', '/equipment.csv'].map((path) => [
      `/console/api${path}`,
      few,
    ]),
  ),
  '/v1/stages': few,
  '/v1/members': few,
  '/console/api/live': 'open pages look at clocks, one row a tenant',
  '/console/api/leads/{}/privacy/archive': 'everything of one customer, written as it is read',
  '/console/api/imports/{}/problems.csv': 'everything of one import, written as it is read',
  ...Object.fromEntries(
    [
      '/v1/me',
      '/v1/projects/{}/files',
      '/v1/projects/{}/checklist',
      '/v1/leads/{}',
      '/v1/projects/{}',
      '/v1/adders',
      '/v1/equipment',
    ].map((path) => [path, oneRecord]),
  ),
  ...Object.fromEntries(
    [
      ...[
        'fetch_project',
        'fetch_project_hi',
        'fetch_lead',
        'fetch_lead_hi',
        'fetch_all_panel',
        'fetch_all_inverter',
      ],
      'fetch_all_adders',
    ].map((path) => [`/legacy/${path}`, oneRecord]),
  ),
  ...Object.fromEntries(
    [
      ...['panels/{}', 'installations/{}', 'billing/invoices/{}/pdf', 'billing/invoices/{}'],
      'monitoring/alerts/{}',
      ...['billing/invoices/{}/payments', 'billing/credits/{}', 'billing/plans/{}', 'webhooks'],
    ].map((path) => [`/catalog/v1/${path}`, oneRecord]),
  ),
}
