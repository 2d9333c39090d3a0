import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { TimezoneSelect } from './timezone-select.tsx'
import { useCompanyChanged } from './use-company.ts'

interface AddDealerDialogProps {
  /** The installer's own. */
  timezone: string
  onClose: () => void
}

export function AddDealerDialog({ timezone, onClose }: AddDealerDialogProps) {
  const { say } = useToasts()
  const changed = useCompanyChanged()
  const [dealer, setDealer] = useState({ name: '', timezone })
  const add = useSubmit({
    mutationFn: (_, once) => api.post('/dealers', dealer, once),
    onSuccess: () => {
      say(texts.dealerAdded(dealer.name.trim()))
      void changed()
      onClose()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate()
  }

  return (
    <Dialog open onClose={onClose} title={texts.addDealer} description={texts.addDealerNote}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.name} error={add.error?.message}>
          <TextInput
            value={dealer.name}
            onChange={(event) => setDealer({ ...dealer, name: event.target.value })}
            maxLength={200}
            autoComplete="off"
            autoFocus
            required
          />
        </Field>
        <TimezoneSelect
          value={dealer.timezone}
          onChange={(zone) => setDealer({ ...dealer, timezone: zone })}
        />
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={add.isPending}>
            {texts.addDealer}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
