import { CalendarDays } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { classes } from './classes.ts'
import { formatDay } from './format.ts'

// Most who see a day do not change it: the calendar comes when one is opened.
const DayChoice = lazy(async () => ({ default: (await import('./day-choice.tsx')).DayChoice }))

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
          <Suspense fallback={<div className="h-80 w-63" aria-busy />}>
            <DayChoice value={value} onChoose={choose} />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
