import { useQueryClient } from '@tanstack/react-query'
import { Archive, ArchiveRestore, UserRoundPlus, X } from 'lucide-react'
import type { BulkBody } from '../../../src/api/console/lead-requests.ts'
import type { LeadsChanged } from '../../../src/api/console/leads.ts'
import { api, type SubmissionKey } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { leads as texts } from '../../texts/en/leads.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { MemberChoices } from './member-choices.tsx'
import type { Selection } from './selection.ts'

const maxAtOnce = 200

type BulkChange = Omit<BulkBody, 'ids'>

/** What is done with all that are selected. */
export function BulkBar({ selection, archived }: { selection: Selection; archived: boolean }) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const change = useSubmit({
    mutationFn: ({ ids, ...change }: BulkChange & { ids: string[] }, submission) =>
      send(ids, change, submission),
    onSuccess: ({ changed, refused }, { ids, archive }) => {
      selection.clear()
      if (changed > 0) {
        const undo = () => change.mutate({ ids, archive: !archive })
        say(texts.done(changed), archive === undefined ? undefined : { label: texts.undo, run: undo })
      }
      if (refused[0]) complain(texts.refused(refused.length, refused[0].message))
    },
    onError: complain,
    onSettled: (_answer, _error, { ids }) => {
      for (const queryKey of [['leads'], ['board'], ['home'], ...ids.map((id) => ['lead', id])])
        client.invalidateQueries({ queryKey })
    },
  })
  const run = (one: BulkChange) => change.mutate({ ids: selection.ids, ...one })
  const assign = (label: string, choose: (id: string | null) => void) => (
    <Menu
      align="start"
      trigger={
        <Button small disabled={change.isPending}>
          <UserRoundPlus className="size-4" aria-hidden />
          {label}
        </Button>
      }
    >
      <MemberChoices label={label} onChoose={choose} />
    </Menu>
  )

  return (
    <section
      aria-label={texts.selection}
      className="sticky bottom-16 z-20 mt-4 flex flex-wrap items-center gap-2 rounded-xl border border-line bg-raised py-2 pr-2 pl-4 shadow-high sm:bottom-4"
    >
      <p role="status" className="max-sm:-order-2 mr-auto max-sm:w-[calc(100%-3rem)] font-medium">
        {texts.selected(selection.ids.length)}
      </p>
      {assign(texts.assignRep, (rep) => run({ assign: { rep } }))}
      {assign(texts.assignSetter, (setter) => run({ assign: { setter } }))}
      <Button small busy={change.isPending} onClick={() => run({ archive: !archived })}>
        {archived ? (
          <ArchiveRestore className="size-4" aria-hidden />
        ) : (
          <Archive className="size-4" aria-hidden />
        )}
        {archived ? texts.fromArchive : texts.toArchive}
      </Button>
      <IconButton label={texts.clearSelection} className="size-8! max-sm:-order-1" onClick={selection.clear}>
        <X className="size-4" aria-hidden />
      </IconButton>
    </section>
  )
}

/** As many at a time as the server takes. */
async function send(ids: string[], change: BulkChange, { key }: SubmissionKey): Promise<LeadsChanged> {
  const outcome: LeadsChanged = { changed: 0, refused: [] }
  for (let from = 0; from < ids.length; from += maxAtOnce) {
    const part = { ids: ids.slice(from, from + maxAtOnce), ...change }
    const { changed, refused } = await api.post<LeadsChanged>('/leads/bulk', part, { key: `${key}-${from}` })
    outcome.changed += changed
    outcome.refused.push(...refused)
  }
  return outcome
}
