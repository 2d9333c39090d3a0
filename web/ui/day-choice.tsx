import { ChevronLeft, ChevronRight } from 'lucide-react'
import { DayButton, DayPicker, type DayPickerProps } from 'react-day-picker'
import { dayPicker as texts } from '../texts/en/day-picker.ts'
import { Button, IconButton } from './button.tsx'
import { formatWholeDay } from './format.ts'

/** The calendar counts in the browser's own days, of which only the date is used. */
const dayOf = (date: Date) =>
  new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())).toISOString().slice(0, 10)
const dateOf = (day: string) => new Date(`${day}T00:00:00`)

const labels: DayPickerProps['labels'] = {
  labelPrevious: () => texts.previousMonth,
  labelNext: () => texts.nextMonth,
  labelDayButton: (date) => formatWholeDay(dayOf(date)),
}

const components: DayPickerProps['components'] = {
  PreviousMonthButton: (props) => (
    <IconButton {...props} label={texts.previousMonth}>
      <ChevronLeft className="size-5" aria-hidden />
    </IconButton>
  ),
  NextMonthButton: (props) => (
    <IconButton {...props} label={texts.nextMonth}>
      <ChevronRight className="size-5" aria-hidden />
    </IconButton>
  ),
  DayButton: (props) => <DayButton {...props} aria-current={props.modifiers['today'] ? 'date' : undefined} />,
}

const classNames: DayPickerProps['classNames'] = {
  month: 'grid grid-cols-[auto_1fr_auto] items-center',
  month_caption: 'text-center font-semibold',
  month_grid: 'col-span-3 mt-1 border-collapse',
  weekday: 'size-9 text-[0.8rem] font-medium text-ink-soft',
  day: 'p-0',
  day_button: 'size-9 rounded-lg tabular-nums hover:bg-sunken',
  selected: '[&>button]:bg-action [&>button]:font-semibold [&>button]:text-action-ink',
  today: 'not-aria-selected:[&>button]:font-semibold not-aria-selected:[&>button]:text-action',
  outside: 'not-aria-selected:[&>button]:text-ink-soft',
}

interface DayChoiceProps {
  value: string | null
  onChoose: (day: string | null) => void
}

/** A month of days to choose from, today, and none. */
export function DayChoice({ value, onChoose }: DayChoiceProps) {
  const selected = value === null ? undefined : dateOf(value)
  return (
    <>
      <DayPicker
        mode="single"
        required
        autoFocus
        showOutsideDays
        navLayout="around"
        selected={selected}
        defaultMonth={selected}
        onSelect={(date) => onChoose(dayOf(date))}
        labels={labels}
        components={components}
        classNames={classNames}
      />
      <div className="flex justify-between gap-2 pt-2">
        <Button kind="quiet" small onClick={() => onChoose(dayOf(new Date()))}>
          {texts.today}
        </Button>
        {value && (
          <Button kind="quiet" small onClick={() => onChoose(null)}>
            {texts.clear}
          </Button>
        )}
      </div>
    </>
  )
}
