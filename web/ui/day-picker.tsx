import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { dayPicker as texts } from '../texts/en/day-picker.ts'
import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { formatDay } from './format.ts'

interface DayPickerProps {
  /** What the day is of: read out with it. */
  label: string
  /** As YYYY-MM-DD; null where there is none yet. */
  value: string | null
  onChange: (day: string | null) => void
  /** Said where there is no day. */
  empty: string
  /** Without a frame, for a place among texts. */
  quiet?: boolean
}

/** A day, and the month to choose another one from. */
export function DayPicker({ label, value, onChange, empty, quiet }: DayPickerProps) {
  const [open, setOpen] = useState(false)
  const choose = (day: string | null) => {
    setOpen(false)
    if (day !== value) onChange(day)
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={`${label}: ${value ? formatDay(value) : empty}`}
        className={classes(
          'inline-flex min-h-9 items-center gap-2 rounded-lg border px-2.5 text-left whitespace-nowrap',
          quiet
            ? 'border-transparent hover:border-line hover:bg-sunken'
            : 'border-line bg-surface shadow-card hover:bg-sunken',
          value ? 'text-ink' : 'text-ink-soft',
        )}
      >
        {!quiet && <CalendarDays className="size-4 shrink-0 text-ink-soft" aria-hidden />}
        {value ? formatDay(value) : empty}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          className="z-50 max-h-[var(--radix-popover-content-available-height)] overflow-y-auto rounded-xl border border-line bg-raised p-3 shadow-high"
        >
          <Month value={value} onChoose={choose} />
          <div className="flex justify-between gap-2 pt-2">
            <Button kind="quiet" small onClick={() => choose(today())}>
              {texts.today}
            </Button>
            {value && (
              <Button kind="quiet" small onClick={() => choose(null)}>
                {texts.clear}
              </Button>
            )}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const dayMs = 86_400_000
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const monthNames = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function today(): string {
  const now = new Date()
  return dayOf(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()))
}

/** The same day of another month, or its last where it has no such day. */
function inMonth(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

function Month({ value, onChoose }: { value: string | null; onChoose: (day: string) => void }) {
  const [focused, setFocused] = useState(value ?? today())
  const [byKey, setByKey] = useState(true)
  const cell = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the day that moved which is to be focused
  useEffect(() => {
    if (byKey) cell.current?.focus()
  }, [focused, byKey])

  const month = focused.slice(0, 7)
  const first = at(`${month}-01`)
  const start = first - new Date(first).getUTCDay() * dayMs
  const weeks = Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => dayOf(start + (week * 7 + day) * dayMs)),
  ).filter((week) => week.some((day) => day.startsWith(month)))

  const turn = (months: number) => {
    setByKey(false)
    setFocused(inMonth(focused, months))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const weekday = new Date(at(focused)).getUTCDay()
    const days: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -7,
      ArrowDown: 7,
      Home: -weekday,
      End: 6 - weekday,
    }
    const months: Record<string, number> = { PageUp: -1, PageDown: 1 }
    const { key } = event
    if (!(key in days) && !(key in months)) return
    event.preventDefault()
    setByKey(true)
    setFocused(key in days ? dayOf(at(focused) + days[key]! * dayMs) : inMonth(focused, months[key]!))
  }

  return (
    <>
      <div className="flex items-center justify-between pb-1">
        <IconButton label={texts.previousMonth} onClick={() => turn(-1)}>
          <ChevronLeft className="size-5" aria-hidden />
        </IconButton>
        <p className="font-semibold" aria-live="polite">
          {monthNames.format(at(focused))}
        </p>
        <IconButton label={texts.nextMonth} onClick={() => turn(1)}>
          <ChevronRight className="size-5" aria-hidden />
        </IconButton>
      </div>
      <table className="border-collapse" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {texts.weekdays.map(([short, long]) => (
              <th
                key={long}
                scope="col"
                abbr={long}
                className="size-9 text-[0.8rem] font-medium text-ink-soft"
              >
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0">
                  <button
                    type="button"
                    ref={day === focused ? cell : null}
                    tabIndex={day === focused ? 0 : -1}
                    aria-label={formatDay(day)}
                    aria-pressed={day === value}
                    aria-current={day === today() ? 'date' : undefined}
                    onClick={() => onChoose(day)}
                    className={classes(
                      'size-9 rounded-lg tabular-nums',
                      day === value ? 'bg-action font-semibold text-action-ink' : 'hover:bg-sunken',
                      day !== value && day === today() && 'font-semibold text-action',
                      day !== value && !day.startsWith(month) && 'text-ink-soft',
                    )}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
