import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  BillingSummary,
  CreditResponse,
  CreditsResponse,
  InstallationPlanResponse,
  InvoiceRead,
  InvoiceResponse,
  InvoiceStatus,
  InvoicesResponse,
  OutcomeRow,
  PaymentMethod,
  PlanResponse,
  PlansResponse,
  RunOutcome,
  RunRead,
  RunResponse,
  UnbilledResponse,
} from '../../../src/api/console/billing-responses.ts'
import { api, query } from '../../api/client.ts'
import type { Tone } from '../../ui/surface.tsx'

export type {
  BillingSummary,
  CreditResponse,
  InstallationPlanResponse,
  InvoiceRead,
  InvoiceResponse,
  InvoiceStatus,
  OutcomeRow,
  PaymentMethod,
  PlanResponse,
  RunOutcome,
  RunRead,
  RunResponse,
  UnbilledResponse,
}

/** Everything that is known about billing: whatever changes a part of it makes it stale. */
export const billingKey = ['billing']

/** What the address bar says. */
export type BillingSearch = Partial<
  Record<
    'part' | 'status' | 'month' | 'search' | 'sort' | 'installation' | 'state' | 'run' | 'outcome',
    string
  >
>

export const summaryQuery = queryOptions({
  queryKey: [...billingKey, 'summary'],
  queryFn: ({ signal }) => api.get<BillingSummary>('/billing/summary', { signal }),
})

const paged = <T extends { next: string | null }>(key: unknown[], path: string, filters: object) =>
  infiniteQueryOptions({
    queryKey: [...billingKey, ...key, filters],
    queryFn: ({ pageParam, signal }) =>
      api.get<T>(`/billing${path}${query({ ...filters, after: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: T) => next,
    placeholderData: keepPreviousData,
  })

export const invoicesQuery = ({ status, month, search, installation, sort }: BillingSearch) =>
  paged<InvoicesResponse>(['invoices'], '/invoices', { status, month, search, installation, sort })

export const plansQuery = ({ state, search }: BillingSearch) =>
  paged<PlansResponse>(['plans'], '/plans', { state, search })

export const creditsQuery = ({ state, search }: BillingSearch) =>
  paged<CreditsResponse>(['credits'], '/credits', { state, search })

export const unbilledQuery = paged<UnbilledResponse>(['unbilled'], '/unbilled', {})

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: [...billingKey, 'invoice', id],
    queryFn: ({ signal }) => api.get<InvoiceRead>(`/billing/invoices/${id}`, { signal }),
  })

export const pdfAddress = (id: string, download = false) =>
  `/console/api/billing/invoices/${id}/pdf${download ? '?download=yes' : ''}`

export const runsQuery = queryOptions({
  queryKey: [...billingKey, 'runs'],
  queryFn: ({ signal }) => api.get<{ runs: RunResponse[] }>('/billing/runs', { signal }),
})

const followMs = 1_000

/** A run that is under way is looked at again and again. */
export const runQuery = (id: string, outcome: string | undefined) =>
  infiniteQueryOptions({
    ...paged<RunRead>(['run', id], `/runs/${id}`, { outcome }),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.run.state === 'running' ? followMs : false),
  })

export const statusTones: Record<InvoiceStatus, Tone> = {
  draft: 'plain',
  open: 'info',
  paid: 'good',
  void: 'bad',
}

export const outcomeTones: Record<RunOutcome, Tone> = {
  drafted: 'good',
  redrafted: 'good',
  withdrawn: 'plain',
  unchanged: 'plain',
  held: 'warn',
  billed: 'plain',
  skipped: 'plain',
  failed: 'bad',
}

/** What each part is given: what the address bar says, and how to change that. */
export interface PartProps {
  search: BillingSearch
  onChange: (search: BillingSearch) => void
}
