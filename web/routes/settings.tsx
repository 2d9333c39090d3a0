import { createRoute, redirect } from '@tanstack/react-router'
import { titles } from '../texts/en/titles.ts'
import { page } from './page.ts'
import { inside, words } from './root.tsx'

const layout = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  staticData: { title: titles.settings },
  component: page(() => import('../pages/settings/settings-layout.tsx'), 'SettingsLayout'),
})

const first = createRoute({
  getParentRoute: () => layout,
  path: '/',
  staticData: { title: null },
  beforeLoad: () => {
    throw redirect({ to: '/settings/company', replace: true })
  },
})

const company = createRoute({
  getParentRoute: () => layout,
  path: '/company',
  staticData: { title: titles.company },
  component: page(() => import('../pages/settings/company/company-page.tsx'), 'CompanyPage'),
})

const dealer = createRoute({
  getParentRoute: () => layout,
  path: '/company/$id',
  staticData: { title: titles.dealer },
  component: page(() => import('../pages/settings/company/dealer-page.tsx'), 'DealerPage'),
})

const audit = createRoute({
  getParentRoute: () => layout,
  path: '/audit',
  staticData: { title: titles.audit },
  validateSearch: words('record', 'who', 'kind', 'from', 'to'),
  component: page(() => import('../pages/settings/audit/audit-page.tsx'), 'AuditPage'),
})

const mail = createRoute({
  getParentRoute: () => layout,
  path: '/mail',
  staticData: { title: titles.mail },
  validateSearch: words('view', 'state', 'to'),
  component: page(() => import('../pages/settings/mail/mail-page.tsx'), 'MailPage'),
})

const people = createRoute({
  getParentRoute: () => layout,
  path: '/people',
  staticData: { title: titles.people },
  validateSearch: words('company'),
  component: page(() => import('../pages/settings/people/people-page.tsx'), 'PeoplePage'),
})

const keys = createRoute({
  getParentRoute: () => layout,
  path: '/keys',
  staticData: { title: titles.keys },
  validateSearch: words('company'),
  component: page(() => import('../pages/settings/keys/keys-page.tsx'), 'KeysPage'),
})

const key = createRoute({
  getParentRoute: () => layout,
  path: '/keys/$id',
  staticData: { title: titles.key },
  component: page(() => import('../pages/settings/keys/key-page.tsx'), 'KeyPage'),
})

const webhooks = createRoute({
  getParentRoute: () => layout,
  path: '/webhooks',
  staticData: { title: titles.webhooks },
  component: page(() => import('../pages/settings/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => layout,
  path: '/webhooks/$id',
  staticData: { title: titles.webhook },
  validateSearch: words('state'),
  component: page(() => import('../pages/settings/webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const requests = createRoute({
  getParentRoute: () => layout,
  path: '/requests',
  staticData: { title: titles.requests },
  validateSearch: words('id', 'key', 'status', 'method', 'route', 'from', 'to'),
  component: page(() => import('../pages/settings/keys/requests-page.tsx'), 'RequestsPage'),
})

const importFiles = createRoute({
  getParentRoute: () => layout,
  path: '/import',
  staticData: { title: titles.importFiles },
  component: page(() => import('../pages/settings/import/import-page.tsx'), 'ImportPage'),
})

const importFile = createRoute({
  getParentRoute: () => layout,
  path: '/import/$id',
  staticData: { title: titles.importFile },
  component: page(() => import('../pages/settings/import/import-detail-page.tsx'), 'ImportDetailPage'),
})

const ladder = createRoute({
  getParentRoute: () => layout,
  path: '/ladder',
  staticData: { title: titles.ladder },
  validateSearch: words('line'),
  component: page(() => import('../pages/settings/ladder/ladder-page.tsx'), 'LadderPage'),
})

const stage = createRoute({
  getParentRoute: () => layout,
  path: '/ladder/$id',
  staticData: { title: titles.stage },
  component: page(() => import('../pages/settings/ladder/stage-page.tsx'), 'StagePage'),
})

const catalogue = createRoute({
  getParentRoute: () => layout,
  path: '/catalogue',
  staticData: { title: titles.catalogue },
  validateSearch: words('part'),
  component: page(() => import('../pages/settings/catalogue/catalogue-page.tsx'), 'CataloguePage'),
})

const catalogueImport = createRoute({
  getParentRoute: () => layout,
  path: '/catalogue/import',
  staticData: { title: titles.catalogueImport },
  validateSearch: words('section'),
  component: page(() => import('../pages/settings/catalogue/import-page.tsx'), 'CatalogueImportPage'),
})

const retention = createRoute({
  getParentRoute: () => layout,
  path: '/retention',
  staticData: { title: titles.retention },
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
