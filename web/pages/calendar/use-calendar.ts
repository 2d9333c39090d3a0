import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CalendarEntryResponse, CalendarResponse } from '../../../src/api/console/calendar.ts'
import { api, query } from '../../api/client.ts'
import { shownAtOnce } from '../../live/shown-at-once.ts'
import { calendar as texts } from '../../texts/en/calendar.ts'
import { formatDay, formatShortDay } from '../../ui/format.ts'
import { useOvertaken } from '../../ui/overtaken.ts'
import { useToasts } from '../../ui/toast.tsx'

export interface Span {
  from: string
  to: string
  kind: string | undefined
}

export function useEntries(span: Span) {
  return useQuery({
    queryKey: ['calendar', span],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.get<CalendarResponse>(`/calendar${query({ ...span })}`, { signal }),
  })
}

const key = ['move-entry']
const fieldOf = ({ kind }: CalendarEntryResponse) => (kind === 'install' ? 'installDate' : 'surveyDate')

interface Move {
  entry: CalendarEntryResponse
  /** Null takes it off the calendar. */
  day: string | null
  /** On which day it stood for whoever moves it. */
  seen: string | null
  /** Whether it takes back another one. */
  undoes?: boolean
}

/** Moves an entry: seen at once, put back where it is refused, and undone by a click. */
export function useMove() {
  const client = useQueryClient()
  const { say } = useToasts()
  const overtaken = useOvertaken()

  function show({ entry, day }: Move) {
    client.setQueriesData<CalendarResponse>({ queryKey: ['calendar'] }, (shown) => {
      if (!shown) return shown
      const others = shown.entries.filter(
        (other) => other.projectId !== entry.projectId || other.kind !== entry.kind,
      )
      return { ...shown, entries: day === null ? others : [...others, { ...entry, day }] }
    })
  }

  const { mutate } = useMutation({
    mutationKey: key,
    meta: shownAtOnce,
    mutationFn: ({ entry, day, seen }: Move) => {
      const field = fieldOf(entry)
      return api.patch(`/projects/${entry.projectId}`, { [field]: day, seen: { [field]: seen } })
    },
    onMutate: async (move) => {
      const cancelled = client.cancelQueries({ queryKey: ['calendar'] })
      show(move)
      await cancelled
    },
    onSuccess: (_answer, { entry, day, seen, undoes }) => {
      if (undoes) return
      const text =
        day === null ? texts.takenOff(entry.customer) : texts.moved(entry.customer, formatShortDay(day))
      const back = { entry: { ...entry, day: day ?? entry.day }, day: seen, seen: day, undoes: true }
      say(text, { label: texts.undo, run: () => mutate(back) })
    },
    onError: (error, move) => {
      const { entry } = move
      overtaken(error, {
        field: fieldOf(entry),
        label: texts.dayOf(entry.customer, texts.kinds[entry.kind]),
        words: formatDay,
        again: (now) => mutate({ ...move, seen: now === null ? null : String(now) }),
      })
    },
    onSettled: (_data, _error, { entry }) => {
      // While another one is on its way, the server's answer would put that one back.
      if (client.isMutating({ mutationKey: key }) > 1) return
      void client.invalidateQueries({ queryKey: ['calendar'] })
      void client.invalidateQueries({ queryKey: ['project', entry.projectId] })
      void client.invalidateQueries({ queryKey: ['home'] })
      void client.invalidateQueries({ queryKey: ['board'] })
    },
  })

  return (entry: CalendarEntryResponse, day: string | null) => {
    if (day !== entry.day) mutate({ entry, day, seen: entry.day })
  }
}
