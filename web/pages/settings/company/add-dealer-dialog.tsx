import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { company as texts } from '../../../texts/en/company.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TimezoneSelect } from '../../../ui/timezone-select.tsx'
import { useToasts } from '../../../ui/toast.tsx'
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
    mutationFn: (_, submission) => api.post('/dealers', dealer, submission),
    onSuccess: () => {
      say(texts.dealerAdded(dealer.name.trim()))
      void changed()
      onClose()
    },
  })

  return (
    <FormDialog
      title={texts.addDealer}
      description={texts.addDealerNote}
      sending={add}
      error={null}
      confirm={texts.addDealer}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        error={add.error?.message}
        value={dealer.name}
        onChange={(name) => setDealer({ ...dealer, name })}
        maxLength={200}
        autoComplete="off"
        autoFocus
        required
      />
      <TimezoneSelect value={dealer.timezone} onChange={(zone) => setDealer({ ...dealer, timezone: zone })} />
    </FormDialog>
  )
}
