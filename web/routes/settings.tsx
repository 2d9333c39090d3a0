import { createRoute, redirect } from '@tanstack/react-router'
import { page } from './page.ts'
import { inside, words } from './root.tsx'

const layout = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: page(() => import('../pages/settings/settings-layout.tsx'), 'SettingsLayout'),
})

const first = createRoute({
  getParentRoute: () => layout,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/company', replace: true })
  },
})

const company = createRoute({
  getParentRoute: () => layout,
  path: '/company',
  component: page(() => import('../pages/settings/company/company-page.tsx'), 'CompanyPage'),
})

const dealer = createRoute({
  getParentRoute: () => layout,
  path: '/company/$id',
  component: page(() => import('../pages/settings/company/dealer-page.tsx'), 'DealerPage'),
})

const audit = createRoute({
  getParentRoute: () => layout,
  path: '/audit',
  validateSearch: words('record', 'who', 'kind', 'from', 'to'),
  component: page(() => import('../pages/settings/audit/audit-page.tsx'), 'AuditPage'),
})

const mail = createRoute({
  getParentRoute: () => layout,
  path: '/mail',
  validateSearch: words('view', 'state', 'to'),
  component: page(() => import('../pages/settings/mail/mail-page.tsx'), 'MailPage'),
})

const people = createRoute({
  getParentRoute: () => layout,
  path: '/people',
  validateSearch: words('company'),
  component: page(() => import('../pages/settings/people/people-page.tsx'), 'PeoplePage'),
})

const keys = createRoute({
  getParentRoute: () => layout,
  path: '/keys',
  validateSearch: words('company'),
  component: page(() => import('../pages/settings/keys/keys-page.tsx'), 'KeysPage'),
})

const key = createRoute({
  getParentRoute: () => layout,
  path: '/keys/$id',
  component: page(() => import('../pages/settings/keys/key-page.tsx'), 'KeyPage'),
})

const webhooks = createRoute({
  getParentRoute: () => layout,
  path: '/webhooks',
  component: page(() => import('../pages/settings/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => layout,
  path: '/webhooks/$id',
  validateSearch: words('state'),
  component: page(() => import('../pages/settings/webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const requests = createRoute({
  getParentRoute: () => layout,
  path: '/requests',
  validateSearch: words('id', 'key', 'status', 'method', 'route', 'from', 'to'),
  component: page(() => import('../pages/settings/requests/requests-page.tsx'), 'RequestsPage'),
})

const importFiles = createRoute({
  getParentRoute: () => layout,
  path: '/import',
  component: page(() => import('../pages/settings/import/import-page.tsx'), 'ImportPage'),
})

const importFile = createRoute({
  getParentRoute: () => layout,
  path: '/import/$id',
  component: page(() => import('../pages/settings/import/import-detail-page.tsx'), 'ImportDetailPage'),
})

const ladder = createRoute({
  getParentRoute: () => layout,
  path: '/ladder',
  validateSearch: words('line'),
  component: page(() => import('../pages/settings/ladder/ladder-page.tsx'), 'LadderPage'),
})

const stage = createRoute({
  getParentRoute: () => layout,
  path: '/ladder/$id',
  component: page(() => import('../pages/settings/ladder/stage-page.tsx'), 'StagePage'),
})

const catalogue = createRoute({
  getParentRoute: () => layout,
  path: '/catalogue',
  validateSearch: words('part'),
  component: page(() => import('../pages/settings/catalogue/catalogue-page.tsx'), 'CataloguePage'),
})

const catalogueImport = createRoute({
  getParentRoute: () => layout,
  path: '/catalogue/import',
  validateSearch: words('shelf'),
  component: page(() => import('../pages/settings/catalogue/import-page.tsx'), 'CatalogueImportPage'),
})

const retention = createRoute({
  getParentRoute: () => layout,
  path: '/retention',
  component: page(() => import('../pages/settings/retention/retention-page.tsx'), 'RetentionPage'),
})

/** What owners and admins decide for their company. */
export const settings = layout.addChildren([
  first,
  company,
  dealer,
  audit,
  mail,
  people,
  keys,
  key,
  webhooks,
  webhook,
  requests,
  importFiles,
  importFile,
  ladder,
  stage,
  catalogue,
  catalogueImport,
  retention,
])
