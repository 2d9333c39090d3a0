import { useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { common } from '../../texts/en/common.ts'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { Button } from '../../ui/button.tsx'
import { ChangedMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { useRecordForm } from '../../ui/record-form.ts'
import { useToasts } from '../../ui/toast.tsx'
import { TimezoneSelect } from '../settings/company/timezone-select.tsx'
import { type InstallationShown, monitoringKey } from './use-monitoring.ts'

interface EditInstallationProps {
  installation: InstallationShown
  onClose: () => void
}

const labels = {
  name: texts.name,
  address: texts.address,
  region: texts.region,
  timezone: texts.timezone,
}

/** What an installation is called, and where it stands. */
export function EditInstallation({ installation, onClose }: EditInstallationProps) {
  const { id, name, address, region, timezone } = installation
  const client = useQueryClient()
  const { say } = useToasts()
  const saved = { name, address, region, timezone }
  const { form, seen, names, theirs, set, keepMine, discard } = useRecordForm(`installation-${id}`, saved)
  const save = useSubmit({
    mutationFn: async (_, once) => {
      // Only what was changed: a time zone that is its region's follows the region.
      const mine = names.filter((field) => form[field] !== seen[field])
      const changed = Object.fromEntries(mine.map((field) => [field, form[field]]))
      if (mine.length > 0) await api.patch(`/monitoring/${id}`, { ...changed, seen }, once)
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

  function submit(event: FormEvent) {
    event.preventDefault()
    if (theirs.length === 0) save.mutate()
  }

  const input = (field: keyof typeof saved) => ({
    value: form[field],
    required: true,
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => set({ [field]: target.value }),
  })
  return (
    <Dialog open onClose={close} title={texts.editTitle} description={texts.editNote}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.name}>
          <TextInput maxLength={200} autoFocus {...input('name')} />
        </Field>
        <Field label={texts.address}>
          <TextInput maxLength={500} {...input('address')} />
        </Field>
        <Field label={texts.region} hint={texts.regionHint}>
          <TextInput maxLength={16} {...input('region')} />
        </Field>
        <TimezoneSelect
          value={form.timezone}
          hint={texts.timezoneNote}
          onChange={(zone) => set({ timezone: zone })}
        />
        {theirs.length > 0 && !save.isPending ? (
          <ChangedMeanwhile
            theirs={theirs.map((field) => [labels[field], saved[field]])}
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
