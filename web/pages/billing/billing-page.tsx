import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useSession } from '../../session/session.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { common } from '../../texts/en/common.ts'
import { Page, PageHeader } from '../../ui/surface.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { CreditsPart } from './credits-part.tsx'
import { InvoicesPart } from './invoices-part.tsx'
import { PlansPart } from './plans-part.tsx'
import { RunsPart } from './runs-part.tsx'
import { UnbilledPart } from './unbilled-part.tsx'
import { type BillingSearch, summaryQuery } from './use-billing.ts'

const route = getRouteApi('/inside/billing')

type Part = keyof typeof texts.partNames
const parts = {
  invoices: InvoicesPart,
  plans: PlansPart,
  unbilled: UnbilledPart,
  credits: CreditsPart,
  runs: RunsPart,
} as const
const isPart = (name: string | undefined): name is Part => name !== undefined && name in parts

/** What customers are billed, by which plan, and what is not billed. */
export function BillingPage() {
  const { can } = useSession()
  return can.runCompany ? <Billing /> : <NotFound />
}

function Billing() {
  const search: BillingSearch = route.useSearch()
  const navigate = route.useNavigate()
  const { data: summary } = useQuery(summaryQuery)
  const part = isPart(search.part) ? search.part : 'invoices'
  const Shown = parts[part]
  const unbilled = summary && summary.unbilled.count > 0 ? common.atLeast(summary.unbilled) : null
  return (
    <Page room="list">
      <PageHeader title={texts.title} note={summary && texts.note(summary.plans)} />
      <div className="pb-5">
        <Segments
          label={texts.parts}
          options={Object.entries(texts.partNames).map(([value, label]) => ({
            value: value as Part,
            label: value === 'unbilled' && unbilled ? `${label} (${unbilled})` : label,
          }))}
          value={part}
          onChange={(next) => navigate({ search: next === 'invoices' ? {} : { part: next } })}
        />
      </div>
      <Shown search={search} onChange={(next) => navigate({ search: next, replace: true })} />
    </Page>
  )
}
