import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useRecordForm } from '../../../ui/record-form.ts'
import { useToasts } from '../../../ui/toast.tsx'
import { RoleField } from './role-field.tsx'
import { type PersonResponse, usePeopleChanged } from './use-people.ts'

interface EditPersonDialogProps {
  person: PersonResponse
  onClose: () => void
}

const labels = { name: texts.personName, phone: texts.phone, role: texts.personRole }

/** What a person is called, how they are reached, and what they may do. */
export function EditPersonDialog({ person, onClose }: EditPersonDialogProps) {
  const { say } = useToasts()
  const changed = usePeopleChanged()
  const saved = { name: person.name, phone: person.phone ?? '', role: person.role }
  const { form, seen, set, input, discard, meanwhile } = useRecordForm(
    `person-${person.id}`,
    saved,
    (field) => [labels[field], field === 'role' ? common.roles[saved.role] : saved[field]],
  )
  const save = useSubmit({
    mutationFn: (_, submission) => api.patch(`/people/${person.id}`, { ...form, seen }, submission),
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

  return (
    <FormDialog
      title={texts.editTitle(person.name)}
      sending={save}
      meanwhile={meanwhile}
      confirm={common.save}
      onClose={close}
    >
      <TextField
        label={texts.personName}
        autoComplete="off"
        maxLength={200}
        autoFocus
        required
        {...input('name')}
      />
      <TextField label={texts.phone} type="tel" autoComplete="off" maxLength={50} {...input('phone')} />
      <RoleField value={form.role} onChange={(role) => set({ role })} />
      {person.joining === 'invited' && form.role !== person.role && (
        <p role="status" className="text-warn">
          {texts.roleEndsInvitation}
        </p>
      )}
    </FormDialog>
  )
}
