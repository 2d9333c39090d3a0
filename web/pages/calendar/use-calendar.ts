import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CalendarEntryShown, CalendarShown } from '../../../src/api/console/calendar.ts'
import { api, query } from '../../api/client.ts'
import { calendar as texts } from '../../texts/en/calendar.ts'
import { formatShortDay } from '../../ui/format.ts'
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
    queryFn: ({ signal }) => api.get<CalendarShown>(`/calendar${query({ ...span })}`, { signal }),
  })
}

interface Move {
  entry: CalendarEntryShown
  /** Null takes it off the calendar. */
  day: string | null
  /** On which day it stood for whoever moves it. */
  seen: string | null
}

/** Moves an entry: seen at once, put back where it is refused, and undone by a click. */
export function useMove() {
  const client = useQueryClient()
  const { say, complain } = useToasts()

  function show({ entry, day }: Move) {
    client.setQueriesData<CalendarShown>({ queryKey: ['calendar'] }, (shown) => {
      if (!shown) return shown
      const others = shown.entries.filter(
        (other) => other.projectId !== entry.projectId || other.kind !== entry.kind,
      )
      return { ...shown, entries: day === null ? others : [...others, { ...entry, day }] }
    })
  }

  const mutation = useMutation({
    mutationFn: ({ entry, day, seen }: Move) => {
      const field = entry.kind === 'install' ? 'installDate' : 'surveyDate'
      return api.patch(`/projects/${entry.projectId}`, { [field]: day, seen: { [field]: seen } })
    },
    onMutate: async (move) => {
      await client.cancelQueries({ queryKey: ['calendar'] })
      show(move)
    },
    onError: complain,
    onSettled: (_data, _error, { entry }) => {
      void client.invalidateQueries({ queryKey: ['calendar'] })
      void client.invalidateQueries({ queryKey: ['project', entry.projectId] })
      void client.invalidateQueries({ queryKey: ['home'] })
      void client.invalidateQueries({ queryKey: ['board'] })
    },
  })

  return (entry: CalendarEntryShown, day: string | null) => {
    if (day === entry.day) return
    mutation.mutate(
      { entry, day, seen: entry.day },
      {
        onSuccess: () =>
          say(
            day === null ? texts.takenOff(entry.customer) : texts.moved(entry.customer, formatShortDay(day)),
            {
              label: texts.undo,
              run: () =>
                mutation.mutate({ entry: { ...entry, day: day ?? entry.day }, day: entry.day, seen: day }),
            },
          ),
      },
    )
  }
}
