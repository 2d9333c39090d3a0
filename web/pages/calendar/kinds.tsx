import { HardHat, Ruler } from 'lucide-react'
import type { CalendarEntryResponse } from '../../../src/api/console/calendar.ts'
import { calendar as texts } from '../../texts/en/calendar.ts'
import { classes } from '../../ui/classes.ts'

type Kind = CalendarEntryResponse['kind']

export const kinds: readonly Kind[] = ['install', 'survey']

/** Told apart by picture and colour. */
const icons = { install: HardHat, survey: Ruler }
export const kindColours: Record<Kind, string> = {
  install: 'bg-action-soft text-action',
  survey: 'bg-info-soft text-info',
}

export function KindIcon({ kind, className }: { kind: Kind; className?: string }) {
  const Icon = icons[kind]
  return <Icon className={classes('size-4 shrink-0', className)} aria-hidden />
}

export function Legend() {
  return (
    <ul aria-label={texts.legend} className="flex flex-wrap gap-x-4 gap-y-1 text-[0.87rem] text-ink-soft">
      {kinds.map((kind) => (
        <li key={kind} className="flex items-center gap-2">
          <span className={classes('inline-flex rounded-md p-1', kindColours[kind])}>
            <KindIcon kind={kind} className="size-3.5" />
          </span>
          {texts.kinds[kind]}
        </li>
      ))}
    </ul>
  )
}
