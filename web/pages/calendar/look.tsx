import type {
  CalendarOptions,
  DayCellInfo,
  DayHeaderInfo,
  EventDisplayInfo,
  ListDayHeaderInnerInfo,
} from '@fullcalendar/react'
import { X } from 'lucide-react'
import type { CalendarEntryResponse } from '../../../src/api/console/calendar.ts'
import { calendar as texts } from '../../texts/en/calendar.ts'
import { common } from '../../texts/en/common.ts'
import { classes } from '../../ui/classes.ts'
import { KindIcon, kindColours } from './kinds.tsx'

/** The entry that an event of the calendar stands for. */
export const entryOf = (event: { extendedProps: Record<string, unknown> }) =>
  event.extendedProps['entry'] as CalendarEntryResponse

function Entry({ entry, full }: { entry: CalendarEntryResponse; full: boolean }) {
  const { kind, customer, city, stage, people } = entry
  const goes = people.find(({ role }) => role === (kind === 'install' ? 'subcontractor' : 'siteSurveyor'))
  return (
    <span className="flex min-w-0 flex-1 items-start gap-1.5">
      <KindIcon kind={kind} className="mt-0.5 size-3.5" />
      <span className="min-w-0 flex-1">
        <span className={classes('block font-medium', !full && 'truncate')}>
          <span className="sr-only">{texts.kinds[kind]}: </span>
          {customer}
        </span>
        {full && (
          <span className="block text-[0.8rem] text-ink-soft">
            {[city, stage, goes?.name].filter(Boolean).join(', ')}
          </span>
        )}
      </span>
    </span>
  )
}

const chip = ({ event, isDragging }: EventDisplayInfo) =>
  classes(
    'min-h-[24px] cursor-pointer rounded-md px-1.5 py-0.5 text-left text-[0.83rem] leading-snug hover:brightness-95 dark:hover:brightness-125',
    'focus-visible:outline-2 focus-visible:outline-action',
    kindColours[entryOf(event).kind],
    isDragging && 'shadow-high',
  )

const dayNumber = ({ isToday, isOther }: DayCellInfo) =>
  classes(
    'm-1.5 inline-flex h-6 min-w-6 items-center justify-center rounded-full px-1.5 text-[0.87rem]',
    isToday ? 'bg-action font-semibold text-action-ink' : isOther ? 'text-ink-soft' : 'text-ink',
  )

/** How the calendar looks: in our colours, and no theme of its own. */
export const look: CalendarOptions = {
  headerToolbar: false,
  height: 'auto',
  fixedWeekCount: false,
  dayMaxEvents: 4,
  eventContent: (info: EventDisplayInfo) => (
    <Entry entry={entryOf(info.event)} full={info.view.type !== 'dayGridMonth'} />
  ),
  viewClass: 'overflow-hidden rounded-xl border border-line bg-surface shadow-card',
  dayHeaderRowClass: 'border-line',
  dayHeaderClass: ({ inPopover }: DayHeaderInfo) =>
    classes('border-line', inPopover && 'mb-1.5 border-b px-3 py-2'),
  dayHeaderInnerClass: ({ isToday, inPopover }: DayHeaderInfo) =>
    classes(
      'text-[0.83rem]',
      inPopover ? 'font-semibold' : 'px-2.5 py-2',
      isToday && !inPopover ? 'font-semibold text-action' : !inPopover && 'text-ink-soft',
    ),
  dayHeaderDividerClass: 'border-b border-line',
  dayRowClass: 'border border-line',
  dayCellClass: ({ isOther, isToday }: DayCellInfo) =>
    classes('border border-line', isToday && 'bg-action-soft/35', isOther && 'bg-sunken/60'),
  dayCellTopClass: 'flex justify-end',
  dayCellTopInnerClass: dayNumber,
  dayCellBottomClass: 'min-h-2',
  views: { dayGridWeek: { dayCellBottomClass: 'min-h-[45dvh]', dayMaxEvents: false } },
  rowEventClass: (info: EventDisplayInfo) =>
    classes('mx-1', info.view.type === 'dayGridWeek' ? 'mt-1' : 'mb-1', chip(info)),
  rowMoreLinkClass:
    'mx-1 mb-1 min-h-[24px] rounded-md px-1.5 text-[0.8rem] font-medium text-ink-soft hover:bg-sunken',
  moreLinkContent: ({ num }: { num: number }) => texts.moreOfDay(num),
  popoverClass: 'z-40 min-w-56 rounded-xl border border-line bg-raised pb-2 shadow-high',
  popoverCloseClass:
    'absolute top-1.5 right-1.5 inline-flex size-7 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken',
  popoverCloseContent: () => (
    <>
      <X className="size-4" aria-hidden />
      <span className="sr-only">{common.close}</span>
    </>
  ),
  listDayClass: 'border-line not-last:border-b',
  listDayHeaderClass: 'flex items-center justify-between bg-sunken px-4 py-2 text-[0.87rem]',
  listDayHeaderInnerClass: ({ isToday, level }: ListDayHeaderInnerInfo) =>
    classes(level === 0 ? 'font-semibold' : 'text-ink-soft', isToday && 'text-action'),
  listItemEventClass: (info: EventDisplayInfo) => classes('mx-3 my-1.5 block px-3! py-2!', chip(info)),
  noEventsClass: 'px-6 py-14 text-center text-ink-soft',
  noEventsContent: () => texts.nothing,
}
