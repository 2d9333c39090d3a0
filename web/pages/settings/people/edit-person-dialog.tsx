import type { FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Button } from '../../../ui/button.tsx'
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { useRecordForm } from '../../../ui/record-form.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { RoleField } from './role-field.tsx'
import { type PersonShown, usePeopleChanged } from './use-people.ts'

interface EditPersonDialogProps {
  person: PersonShown
  onClose: () => void
}

const labels = { name: texts.personName, phone: texts.phone, role: texts.personRole }
const shown = (field: keyof typeof labels, saved: Record<string, string> & { role: PersonShown['role'] }) =>
  field === 'role' ? common.roles[saved.role] : saved[field]!

/** What a person is called, how they are reached, and what they may do. */
export function EditPersonDialog({ person, onClose }: EditPersonDialogProps) {
  const { say } = useToasts()
  const changed = usePeopleChanged()
  const saved = { name: person.name, phone: person.phone ?? '', role: person.role }
  const { form, seen, theirs, set, keepMine, discard } = useRecordForm(`person-${person.id}`, saved)
  const save = useSubmit({
    mutationFn: (_, once) => api.patch(`/people/${person.id}`, { ...form, seen }, once),
    onSuccess: async () => {
      await changed()
      say(texts.changed(form.name.trim()))
      close()
    },
  })

  function close() {
    discard()
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (theirs.length === 0) save.mutate()
  }

  return (
    <Dialog open onClose={close} title={texts.editTitle(person.name)}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.personName}>
          <TextInput
            value={form.name}
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
            value={form.phone}
            onChange={(event) => set({ phone: event.target.value })}
            autoComplete="off"
            maxLength={50}
          />
        </Field>
        <RoleField value={form.role} onChange={(role) => set({ role })} />
        {person.joining === 'invited' && form.role !== person.role && (
          <p role="status" className="text-warn">
            {texts.roleEndsInvitation}
          </p>
        )}
        {theirs.length > 0 && !save.isPending ? (
          <ChangedMeanwhile
            theirs={theirs.map((field) => [labels[field], shown(field, saved)])}
            onKeep={keepMine}
            onDiscard={discard}
          />
        ) : (
          save.error && (
            <p role="alert" className="text-bad">
              {save.error.message}
            </p>
          )
        )}
        <DialogActions>
          <Button onClick={close}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={save.isPending}>
            {common.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
