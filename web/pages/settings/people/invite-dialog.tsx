import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { entranceQuery } from '../../../session/entrance.ts'
import { useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, Select, TextInput } from '../../../ui/field.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { RoleField } from './role-field.tsx'
import type { Role } from './use-people.ts'

interface InviteDialogProps {
  /** The company that is looked at. */
  company: string
  onClose: () => void
  onDone: () => void
}

export function InviteDialog({ company, onClose, onDone }: InviteDialogProps) {
  const session = useSession()
  const { say } = useToasts()
  const { data: entrance } = useQuery(entranceQuery)
  const [person, setPerson] = useState({ name: '', email: '', role: 'rep' as Role, company })
  const set = (change: Partial<typeof person>) => setPerson({ ...person, ...change })
  const invite = useSubmit({
    mutationFn: (_, once) => api.post('/people/invitations', person, once),
    onSuccess: () => {
      say(texts.invited(person.email))
      onDone()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    invite.mutate()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.invite}
      description={entrance?.sendsMail === false ? texts.inviteNoteKept : texts.inviteNote}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.personName}>
          <TextInput
            value={person.name}
            onChange={(event) => set({ name: event.target.value })}
            autoComplete="off"
            maxLength={200}
            autoFocus
            required
          />
        </Field>
        <Field label={texts.personEmail} error={invite.error?.message}>
          <TextInput
            type="email"
            value={person.email}
            onChange={(event) => set({ email: event.target.value })}
            autoComplete="off"
            maxLength={254}
            required
          />
        </Field>
        <RoleField value={person.role} onChange={(role) => set({ role })} />
        {session.companies.length > 1 && (
          <Field label={texts.personCompany}>
            <Select value={person.company} onChange={(event) => set({ company: event.target.value })}>
              {session.companies.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={invite.isPending}>
            {texts.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
