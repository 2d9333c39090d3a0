import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { RoleField } from './role-field.tsx'
import { type PersonShown, usePeopleChanged } from './use-people.ts'

interface EditPersonDialogProps {
  person: PersonShown
  onClose: () => void
}

/** What a person is called, how they are reached, and what they may do. */
export function EditPersonDialog({ person, onClose }: EditPersonDialogProps) {
  const { say } = useToasts()
  const changed = usePeopleChanged()
  const [draft, setDraft] = useState({ name: person.name, phone: person.phone ?? '', role: person.role })
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change })
  const save = useMutation({
    mutationFn: () => api.patch(`/people/${person.id}`, draft),
    onSuccess: async () => {
      await changed()
      say(texts.changed(draft.name.trim()))
      onClose()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate()
  }

  return (
    <Dialog open onClose={onClose} title={texts.editTitle(person.name)}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.personName}>
          <TextInput
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
            autoComplete="off"
            maxLength={200}
            autoFocus
            required
          />
        </Field>
        <Field label={texts.phone}>
          <TextInput
            type="tel"
            value={draft.phone}
            onChange={(event) => set({ phone: event.target.value })}
            autoComplete="off"
            maxLength={50}
          />
        </Field>
        <RoleField value={draft.role} onChange={(role) => set({ role })} />
        {person.joining === 'invited' && draft.role !== person.role && (
          <p role="status" className="text-warn">
            {texts.roleEndsInvitation}
          </p>
        )}
        {save.error && (
          <p role="alert" className="text-bad">
            {save.error.message}
          </p>
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
