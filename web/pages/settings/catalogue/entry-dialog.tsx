import { type FormEvent, type ReactNode, useState } from 'react'
import { api } from '../../../api/client.ts'
import { common } from '../../../texts/en/common.ts'
import { Button } from '../../../ui/button.tsx'
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { differences } from './typed-amount.ts'
import { type ShelfName, useCatalogueChange } from './use-catalogue.ts'

interface EntryDialogProps<B extends object> {
  shelf: ShelfName
  title: string
  /** What is there; null for something new. */
  item: { id: string; version: number } | null
  /** As the server takes it: what was there when it was opened, and what is typed now. */
  before: B
  body: B
  /** As it is now: others may have changed it since. */
  now: B
  /** A field as its form labels it, with how a value of it reads. */
  words: (field: keyof B, value: B[keyof B]) => readonly [label: string, text: string]
  /** Whether something that was typed cannot be sent. */
  wrong: boolean
  onClose: () => void
  children: ReactNode
}

/** Something of the catalogue, new or changed. Only what was changed is sent. */
export function EntryDialog<B extends object>(props: EntryDialogProps<B>) {
  const { shelf, title, item, before, body, now, words, wrong, onClose, children } = props
  const { say } = useToasts()
  const mine = differences(before, body)
  // What others are known to have written: which of the two holds has been said.
  const [known, setKnown] = useState(before)
  const others = differences(known, now)
  const unlike = differences(body, now)
  const theirs = (Object.keys(mine) as (keyof B)[]).filter((field) => field in others && field in unlike)
  const save = useCatalogueChange((_: undefined, once) =>
    item
      ? api.patch(`/${shelf}/${item.id}`, { version: item.version, ...mine }, once)
      : api.post(`/${shelf}`, body, once),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    if (wrong || (item && theirs.length > 0)) return
    save.mutate(undefined, {
      onSuccess: () => {
        say(common.saved)
        onClose()
      },
    })
  }

  return (
    <Dialog open onClose={onClose} title={title} wide>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {children}
        {item && theirs.length > 0 && !save.isPending ? (
          <ChangedMeanwhile
            theirs={theirs.map((field) => words(field, now[field]))}
            onKeep={() => setKnown(now)}
            onDiscard={onClose}
          />
        ) : (
          save.error && (
            <p role="alert" className="text-bad">
              {save.error.message}
            </p>
          )
        )}
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {common.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
