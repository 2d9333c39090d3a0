import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import { useEffect } from 'react'
import { billing as texts } from '../../texts/en/billing.ts'
import { common } from '../../texts/en/common.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button } from '../../ui/button.tsx'
import { formatAgo } from '../../ui/format.ts'
import { JobBadge, JobProgress } from '../../ui/job-progress.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { formatAmount, formatMonth } from './money.ts'
import type { PartProps } from './use-billing.ts'
import {
  billingKey,
  type OutcomeRow,
  outcomeTones,
  type RunOutcome,
  type RunRead,
  runQuery,
} from './use-billing.ts'

/** What came of a monthly run: of each plan, what was done or why not. */
export function RunReport({ id, search, onChange }: PartProps & { id: string }) {
  const client = useQueryClient()
  const query = useInfiniteQuery(runQuery(id, search.outcome))
  const state = query.data?.pages[0]?.run.state
  // What it made is in the other lists once it is done.
  useEffect(() => {
    if (state && state !== 'running') void client.invalidateQueries({ queryKey: [...billingKey, 'summary'] })
  }, [state, client])
  const choose = (outcome: RunOutcome | null) =>
    onChange({ part: 'runs', run: id, ...(outcome ? { outcome } : {}) })
  return (
    <>
      <BackLink to="/billing" search={{ part: 'runs' }}>
        {texts.allRuns}
      </BackLink>
      <Card>
        <Loaded query={query}>
          {({ pages }) => (
            <>
              <Head
                read={pages[0]!}
                outcome={search.outcome}
                onChoose={choose}
                onStopped={() => void query.refetch()}
              />
              <Outcomes rows={pages.flatMap((page) => page.outcomes)} isDone={state !== 'running'} />
            </>
          )}
        </Loaded>
        <ShowMore query={query} />
      </Card>
    </>
  )
}

interface HeadProps {
  read: RunRead
  outcome: string | undefined
  onChoose: (outcome: RunOutcome | null) => void
  onStopped: () => void
}

function Head({ read: { run, counts }, outcome, onChoose, onStopped }: HeadProps) {
  const counted = (Object.keys(texts.outcomes) as RunOutcome[]).flatMap((name) => {
    const count = counts[name]
    return count === undefined ? [] : [[name, count] as const]
  })
  const done = common.figure(...counted.map(([, count]) => count))
  return (
    <>
      <CardHeader title={texts.runOf(formatMonth(run.month))} actions={<JobBadge state={run.state} />}>
        <span role="status">
          {texts.runBy(run.actorName, formatAgo(run.createdAt))}
          {run.state !== 'running' && ` · ${texts.runProgress(run.done, Math.max(run.done, run.total))}`}
        </span>
      </CardHeader>
      {run.state === 'running' && (
        <div className="px-5 pb-3">
          <JobProgress job={run} label={texts.runProgress(run.done, run.total)} onStopped={onStopped} />
        </div>
      )}
      {counted.length > 0 && (
        <fieldset className="flex flex-wrap gap-2 px-5 pb-3">
          <legend className="sr-only">{texts.outcome}</legend>
          <Button small aria-pressed={!outcome} onClick={() => onChoose(null)}>
            {`${texts.everyOutcome} ${done}`}
          </Button>
          {counted.map(([name, count]) => (
            <Button
              key={name}
              small
              kind={outcome === name ? 'primary' : 'plain'}
              aria-pressed={outcome === name}
              onClick={() => onChoose(outcome === name ? null : name)}
            >
              {`${texts.outcomes[name]} ${common.figure(count)}`}
            </Button>
          ))}
        </fieldset>
      )}
    </>
  )
}

function Outcomes({ rows, isDone }: { rows: OutcomeRow[]; isDone: boolean }) {
  if (rows.length === 0)
    return isDone ? (
      <EmptyState icon={<Zap aria-hidden />} title={texts.noPlans}>
        {texts.noPlansNote}
      </EmptyState>
    ) : null
  return (
    <ul aria-label={texts.report} className="divide-y divide-line/70 border-t border-line/70">
      {rows.map(({ installationId, installationName, outcome, invoiceId, amountDue, currency, detail }) => (
        <li key={installationId} className="flex flex-wrap items-center gap-x-6 gap-y-1 px-5 py-3">
          <div className="min-w-0 flex-1 basis-64">
            <Link
              to="/monitoring/$id"
              params={{ id: installationId }}
              className="block truncate font-medium hover:underline"
            >
              {installationName}
            </Link>
            {detail && <span className="block text-[0.87rem] text-ink-soft">{detail}</span>}
          </div>
          <Badge tone={outcomeTones[outcome]}>{texts.outcomes[outcome]}</Badge>
          {invoiceId && (
            <Link
              to="/billing/invoices/$id"
              params={{ id: invoiceId }}
              className="font-medium whitespace-nowrap text-action tabular-nums hover:underline"
            >
              <span className="sr-only">{texts.openInvoice} </span>
              {amountDue !== null && formatAmount(amountDue, currency)}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}
