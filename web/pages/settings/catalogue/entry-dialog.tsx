import { type ReactNode, useState } from 'react'
import { api } from '../../../api/client.ts'
import { common } from '../../../texts/en/common.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { differences } from './typed-amount.ts'
import { type SectionName, useCatalogueChange } from './use-catalogue.ts'

interface EntryDialogProps<B extends object> {
  section: SectionName
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
  const { section, title, item, before, body, now, words, wrong, onClose, children } = props
  const { say } = useToasts()
  const mine = differences(before, body)
  // What others are known to have written: which of the two holds has been said.
  const [known, setKnown] = useState(before)
  const others = differences(known, now)
  const unlike = differences(body, now)
  const theirs = (item ? (Object.keys(mine) as (keyof B)[]) : []).filter(
    (field) => field in others && field in unlike,
  )
  const save = useCatalogueChange((_: undefined, submission) =>
    item
      ? api.patch(`/${section}/${item.id}`, { version: item.version, ...mine }, submission)
      : api.post(`/${section}`, body, submission),
  )

  function submit() {
    if (wrong) return
    save.mutate(undefined, {
      onSuccess: () => {
        say(common.saved)
        onClose()
      },
    })
  }

  return (
    <FormDialog
      wide
      title={title}
      sending={save}
      onSubmit={submit}
      meanwhile={{
        theirs: theirs.map((field) => words(field, now[field])),
        onKeep: () => setKnown(now),
        onDiscard: onClose,
      }}
      confirm={common.save}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}
