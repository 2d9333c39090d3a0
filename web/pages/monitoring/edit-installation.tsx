import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { common } from '../../texts/en/common.ts'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useRecordForm } from '../../ui/record-form.ts'
import { TimezoneSelect } from '../../ui/timezone-select.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { type InstallationResponse, monitoringKey } from './use-monitoring.ts'

interface EditInstallationProps {
  installation: InstallationResponse
  onClose: () => void
}

/** What an installation is called, and where it stands. */
export function EditInstallation({ installation, onClose }: EditInstallationProps) {
  const { id, name, address, region, timezone } = installation
  const client = useQueryClient()
  const { say } = useToasts()
  const saved = { name, address, region, timezone }
  const record = useRecordForm(`installation-${id}`, saved, (field) => [texts[field], saved[field]])
  const { form, seen, mine, input, discard, meanwhile } = record
  const save = useSubmit({
    mutationFn: async (_, submission) => {
      // Only what was changed: a time zone that is its region's follows the region.
      if (Object.keys(mine).length > 0) await api.patch(`/monitoring/${id}`, { ...mine, seen }, submission)
    },
    onSuccess: async () => {
      // Its name stands in billing too, and its customer's project shows it.
      await Promise.all(
        [monitoringKey, ['billing'], ['project'], ['quarantine']].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      )
      say(texts.saved(form.name.trim()))
      close()
    },
  })

  function close() {
    discard()
    onClose()
  }

  const text = { required: true, autoComplete: 'off' }
  return (
    <FormDialog
      title={texts.editTitle}
      description={texts.editNote}
      sending={save}
      meanwhile={meanwhile}
      confirm={common.save}
      onClose={close}
    >
      <TextField label={texts.name} maxLength={200} autoFocus {...text} {...input('name')} />
      <TextField label={texts.address} maxLength={500} {...text} {...input('address')} />
      <TextField label={texts.region} hint={texts.regionHint} maxLength={16} {...text} {...input('region')} />
      <TimezoneSelect hint={texts.timezoneNote} {...input('timezone')} />
    </FormDialog>
  )
}
