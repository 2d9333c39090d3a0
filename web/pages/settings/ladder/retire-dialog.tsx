import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { ladder as texts } from '../../../texts/en/ladder.ts'
import { Checkbox, SelectField } from '../../../ui/field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type StageSettingResponse, useLadderChange } from './use-ladders.ts'

interface RetireDialogProps {
  stage: StageSettingResponse
  /** Where its projects may go. */
  others: readonly StageSettingResponse[]
  onClose: () => void
}

export function RetireDialog({ stage, others, onClose }: RetireDialogProps) {
  const { say } = useToasts()
  const navigate = useNavigate()
  const [to, setTo] = useState('')
  const [notifyCustomers, setNotifyCustomers] = useState(false)
  const full = stage.projects > 0
  const retire = useLadderChange(
    (submission) =>
      api.post(
        `/stages/${stage.id}/retire`,
        { version: stage.version, to: to || null, notifyCustomers },
        submission,
      ),
    () => {
      say(full ? texts.retiringNow(stage.name) : texts.retired(stage.name))
      return navigate({ to: '/settings/ladder', search: stage.productLine === 'hi' ? { line: 'hi' } : {} })
    },
  )

  return (
    <FormDialog
      title={texts.retireTitle(stage.name)}
      description={full ? texts.retireFull(stage.projects) : texts.retireEmpty}
      sending={retire}
      confirm={texts.retireConfirm}
      kind="danger"
      onClose={onClose}
    >
      {full && (
        <>
          <SelectField
            label={texts.goTo}
            value={to}
            options={[['', texts.choose], ...others.map(({ id, name }) => [id, name] as const)]}
            onChange={setTo}
            required
          />
          <Checkbox
            label={texts.notify}
            checked={notifyCustomers}
            onChange={(event) => setNotifyCustomers(event.target.checked)}
          />
        </>
      )}
    </FormDialog>
  )
}
