import { createRoute } from '@tanstack/react-router'
import { titles } from '../texts/en/titles.ts'
import { page } from './page.ts'
import { inside, words } from './root.tsx'

const fleet = createRoute({
  getParentRoute: () => inside,
  path: '/monitoring',
  staticData: { title: titles.monitoring },
  validateSearch: words('region', 'kind', 'search', 'sort'),
  component: page(() => import('../pages/monitoring/fleet-page.tsx'), 'FleetPage'),
})

const installation = createRoute({
  getParentRoute: () => inside,
  path: '/monitoring/$id',
  staticData: { title: titles.installation },
  validateSearch: words('by', 'from', 'to', 'compare'),
  component: page(() => import('../pages/monitoring/installation-page.tsx'), 'InstallationPage'),
})

const quarantine = createRoute({
  getParentRoute: () => inside,
  path: '/monitoring/quarantine',
  staticData: { title: titles.quarantine },
  validateSearch: words('installation'),
  component: page(() => import('../pages/quarantine/quarantine-page.tsx'), 'QuarantinePage'),
})

const billing = createRoute({
  getParentRoute: () => inside,
  path: '/billing',
  staticData: { title: titles.billing },
  validateSearch: words(
    'part',
    'status',
    'month',
    'search',
    'sort',
    'installation',
    'state',
    'run',
    'outcome',
  ),
  component: page(() => import('../pages/billing/billing-page.tsx'), 'BillingPage'),
})

const invoice = createRoute({
  getParentRoute: () => inside,
  path: '/billing/invoices/$id',
  staticData: { title: titles.invoice },
  component: page(() => import('../pages/billing/invoice-page.tsx'), 'InvoicePage'),
})

const approvals = createRoute({
  getParentRoute: () => inside,
  path: '/approvals',
  staticData: { title: titles.approvals },
  validateSearch: words('list'),
  component: page(() => import('../pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

/** What those who run the company look after: what was built, and what it brings. */
export const business = [fleet, quarantine, installation, billing, invoice, approvals] as const
