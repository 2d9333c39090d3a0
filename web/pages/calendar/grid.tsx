import FullCalendar, { useCalendarController } from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction from '@fullcalendar/react/interaction'
import list from '@fullcalendar/react/list'
import '@fullcalendar/react/skeleton.css'
import { useEffect, useMemo } from 'react'
import type { CalendarEntryResponse } from '../../../src/api/console/calendar.ts'
import { calendar as texts } from '../../texts/en/calendar.ts'
import { formatDay } from '../../ui/format.ts'
import { useWide } from '../../ui/use-wide.ts'
import { listDays, type View } from './days.ts'
import { entryOf, look } from './look.tsx'

const plugins = [dayGrid, list, interaction]
const views: Record<View, string> = { month: 'dayGridMonth', week: 'dayGridWeek', list: 'coming' }
/** Seven days side by side leave a phone no room for words: there a week is its days one after the other. */
const narrowViews = { ...views, week: 'listWeek' }
const ownViews = { ...look.views, coming: { type: 'list', duration: { days: listDays } } }

interface GridProps {
  view: View
  day: string
  today: string
  entries: CalendarEntryResponse[]
  /** Whether entries may be dragged to another day. */
  movable: boolean
  onOpen: (entry: CalendarEntryResponse) => void
  onMove: (entry: CalendarEntryResponse, day: string) => void
}

/** The days of a month or a week with what is on them. */
export function Grid({ view, day, today, entries, movable, onOpen, onMove }: GridProps) {
  const controller = useCalendarController()
  const shown = (useWide('week') ? views : narrowViews)[view]
  useEffect(() => {
    controller.changeView(shown)
    controller.gotoDate(day)
  }, [controller, shown, day])

  const events = useMemo(
    () =>
      entries.map((entry) => ({
        id: `${entry.kind} ${entry.projectId}`,
        title: texts.entry(texts.kinds[entry.kind], entry.customer, formatDay(entry.day)),
        start: entry.day,
        allDay: true,
        extendedProps: { entry },
      })),
    [entries],
  )

  return (
    <FullCalendar
      {...look}
      controller={controller}
      plugins={plugins}
      views={ownViews}
      initialView={shown}
      initialDate={day}
      timeZone="UTC"
      now={today}
      events={events}
      eventOrder="title"
      editable={movable}
      eventDurationEditable={false}
      eventClick={({ event }) => onOpen(entryOf(event))}
      eventDrop={({ event, revert }) => {
        const moved = event.startStr.slice(0, 10)
        const entry = entryOf(event)
        // Where it stands is said by the entries alone.
        revert()
        onMove(entry, moved)
      }}
    />
  )
}
