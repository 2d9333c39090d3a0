import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { entranceQuery } from '../../../session/entrance.ts'
import { useSession } from '../../../session/session.tsx'
import { people as texts } from '../../../texts/en/people.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
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
    mutationFn: (_, submission) => api.post('/people/invitations', person, submission),
    onSuccess: () => {
      say(texts.invited(person.email))
      onDone()
    },
  })

  return (
    <FormDialog
      title={texts.invite}
      description={entrance?.sendsMail === false ? texts.inviteNoteKept : texts.inviteNote}
      sending={invite}
      error={null}
      confirm={texts.send}
      onClose={onClose}
    >
      <TextField
        label={texts.personName}
        value={person.name}
        onChange={(name) => set({ name })}
        autoComplete="off"
        maxLength={200}
        autoFocus
        required
      />
      <TextField
        label={texts.personEmail}
        error={invite.error?.message}
        type="email"
        value={person.email}
        onChange={(email) => set({ email })}
        autoComplete="off"
        maxLength={254}
        required
      />
      <RoleField value={person.role} onChange={(role) => set({ role })} />
      {session.companies.length > 1 && (
        <SelectField
          label={texts.personCompany}
          value={person.company}
          options={session.companies.map(({ id, name }) => [id, name])}
          onChange={(id) => set({ company: id })}
        />
      )}
    </FormDialog>
  )
}
