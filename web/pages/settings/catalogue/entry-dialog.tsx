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
  /** Whether something that was typed cannot be sent. */
  wrong: boolean
  onClose: () => void
  children: ReactNode
}

/** Something of the catalogue, new or changed. Only what was changed is sent. */
export function EntryDialog<B extends object>(props: EntryDialogProps<B>) {
  const { shelf, title, item, before, body, wrong, onClose, children } = props
  const { say } = useToasts()
  const [version, setVersion] = useState(item?.version)
  const save = useCatalogueChange((_: undefined, once) =>
    item
      ? api.patch(`/${shelf}/${item.id}`, { version, ...differences(before, body) }, once)
      : api.post(`/${shelf}`, body, once),
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    if (wrong) return
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
        {item && item.version !== version && !save.isPending ? (
          <ChangedMeanwhile onKeep={() => setVersion(item.version)} onDiscard={onClose} />
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
