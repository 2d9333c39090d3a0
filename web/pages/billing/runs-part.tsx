import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { billing as texts } from '../../texts/en/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { formatAgo } from '../../ui/format.ts'
import { JobBadge } from '../../ui/job-progress.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { formatMonth, monthsUntil } from './money.ts'
import { RunReport } from './run-report.tsx'
import type { PartProps } from './use-billing.ts'
import { billingKey, type RunResponse, runsQuery, summaryQuery } from './use-billing.ts'

/** Has a month billed, and shows what came of it. */
export function RunsPart({ search, onChange }: PartProps) {
  if (search.run) return <RunReport key={search.run} id={search.run} search={search} onChange={onChange} />
  return (
    <div className="flex flex-col gap-5">
      <StartCard month={search.month} onStarted={({ id }) => onChange({ part: 'runs', run: id })} />
      <RunList />
    </div>
  )
}

interface StartCardProps {
  month: string | undefined
  onStarted: (run: RunResponse) => void
}

function StartCard({ month, onStarted }: StartCardProps) {
  const { data: summary } = useQuery(summaryQuery)
  const client = useQueryClient()
  const [typed, setTyped] = useState(month ?? '')
  const start = useSubmit({
    mutationFn: (wanted: string, submission) =>
      api.post<RunResponse>('/billing/runs', { month: wanted }, submission),
    onSuccess: (run) => {
      void client.invalidateQueries({ queryKey: billingKey })
      onStarted(run)
    },
  })
  const chosen = typed || summary?.lastMonth || ''

  function submit(event: FormEvent) {
    event.preventDefault()
    start.mutate(chosen)
  }

  return (
    <Card>
      <CardHeader title={texts.runTitle}>{texts.runNote}</CardHeader>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3 px-5 pt-1 pb-5">
        <Field label={texts.runField} error={start.error?.message} className="min-w-48">
          <Select value={chosen} onChange={(event) => setTyped(event.target.value)}>
            {summary &&
              Object.entries(monthsUntil(summary.lastMonth, month)).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
          </Select>
        </Field>
        <Button kind="primary" type="submit" busy={start.isPending} disabled={!chosen}>
          {texts.runStart}
        </Button>
      </form>
    </Card>
  )
}

function RunList() {
  const query = useQuery(runsQuery)
  return (
    <Card>
      <CardHeader title={texts.runList} />
      <Loaded query={query}>
        {({ runs }) =>
          runs.length === 0 ? (
            <EmptyState icon={<CalendarClock aria-hidden />} title={texts.runsEmpty}>
              {texts.runsEmptyNote}
            </EmptyState>
          ) : (
            <ul aria-label={texts.runList} className="divide-y divide-line/70">
              {runs.map(({ id, month, actorName, createdAt, state }) => (
                <li key={id}>
                  <Link
                    to="/billing"
                    search={{ part: 'runs', run: id }}
                    className="flex flex-wrap items-center gap-3 px-5 py-3 hover:bg-sunken/60"
                  >
                    <span className="min-w-0 flex-1">
                      <span className="block font-medium">{formatMonth(month)}</span>
                      <span className="block text-[0.87rem] text-ink-soft">
                        {texts.runBy(actorName, formatAgo(createdAt))}
                      </span>
                    </span>
                    <JobBadge state={state} />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
