import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Rss } from 'lucide-react'
import { useState } from 'react'
import type { CalendarEntryResponse } from '../../../src/api/console/calendar.ts'
import { useSession } from '../../session/session.tsx'
import { calendar as texts } from '../../texts/en/calendar.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Page, PageHeader } from '../../ui/surface.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { isDay, spanOf, stepFrom, titleOf, todayIn, type View } from './days.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { Grid } from './grid.tsx'
import { kinds, Legend } from './kinds.tsx'
import { useEntries, useMove } from './use-calendar.ts'

const views = ['month', 'week', 'list'] as const

export function CalendarPage() {
  const session = useSession()
  const search = useSearch({ from: '/inside/calendar' })
  const navigate = useNavigate({ from: '/calendar' })
  const [opened, setOpened] = useState<CalendarEntryResponse | null>(null)
  const move = useMove()
  const wide = useWide('week')

  const today = todayIn(session.company.timezone)
  const day = isDay(search.day) ? search.day : today
  const view: View = views.find((one) => one === search.view) ?? (wide ? 'month' : 'list')
  // Else it is a list, which says by itself that it is empty.
  const days = view === 'month' || (view === 'week' && wide)
  const kind = kinds.find((one) => one === search.kind)
  const span = spanOf(view, day)
  const query = useEntries({ ...span, kind })
  const entries = query.data?.entries ?? []
  const shown = entries.filter((entry) => entry.day >= span.from && entry.day <= span.to)

  const go = (change: { day?: string; view?: View; kind?: string | undefined }) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true })

  return (
    <Page room="list">
      <PageHeader
        title={texts.title}
        note={session.can.runProjects && days ? texts.dragHint : undefined}
        actions={
          <Link to="/account" hash="calendar" className={buttonClass('plain')}>
            <Rss className="size-4" aria-hidden />
            {texts.subscribe}
          </Link>
        }
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 pb-4">
        <div className="flex items-center gap-1">
          <IconButton label={texts.earlier} onClick={() => go({ day: stepFrom(view, day, -1) })}>
            <ChevronLeft className="size-5" aria-hidden />
          </IconButton>
          <IconButton label={texts.later} onClick={() => go({ day: stepFrom(view, day, 1) })}>
            <ChevronRight className="size-5" aria-hidden />
          </IconButton>
          <Button small onClick={() => go({ day: today })}>
            {texts.today}
          </Button>
        </div>
        <h2 aria-live="polite" className="min-w-44 flex-1 text-lg font-semibold">
          {titleOf(view, day)}
        </h2>
        <Legend />
        <Field label={texts.kind} labelHidden>
          <Select value={kind ?? ''} onChange={(event) => go({ kind: event.target.value || undefined })}>
            <option value="">{texts.all}</option>
            {kinds.map((one) => (
              <option key={one} value={one}>
                {texts.kindsMany[one]}
              </option>
            ))}
          </Select>
        </Field>
        <Segments
          label={texts.view}
          options={views.map((value) => ({ value, label: texts.views[value] }))}
          value={view}
          onChange={(next) => go({ view: next })}
        />
      </div>
      {query.error && !query.data ? (
        <ErrorState error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <>
          <div aria-busy={query.isFetching}>
            <Grid
              view={view}
              day={day}
              today={today}
              entries={entries}
              movable={session.can.runProjects}
              onOpen={setOpened}
              onMove={move}
            />
          </div>
          {query.data && !query.data.complete && <p className="pt-3 text-warn">{texts.incomplete}</p>}
          {query.data && shown.length === 0 && (
            <p role="status" className="pt-3 text-ink-soft">
              {days && `${texts.nothing} `}
              {texts.nothingHint}
            </p>
          )}
        </>
      )}
      {opened && (
        <EntryDialog
          key={`${opened.kind} ${opened.projectId}`}
          entry={opened}
          onClose={() => setOpened(null)}
          onMove={(next) => {
            setOpened(null)
            move(opened, next)
          }}
        />
      )}
    </Page>
  )
}
