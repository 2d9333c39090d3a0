import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api/client.ts'
import { common } from '../../../texts/en/common.ts'
import { ladder as texts } from '../../../texts/en/ladder.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Checkbox, Field, Select } from '../../../ui/field.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type StageSettingShown, useLadderChange } from './use-ladders.ts'

interface RetireDialogProps {
  stage: StageSettingShown
  /** Where its projects may go. */
  others: readonly StageSettingShown[]
  onClose: () => void
}

export function RetireDialog({ stage, others, onClose }: RetireDialogProps) {
  const { say } = useToasts()
  const navigate = useNavigate()
  const [to, setTo] = useState('')
  const [tellCustomers, setTellCustomers] = useState(false)
  const full = stage.projects > 0
  const retire = useLadderChange(
    (once) =>
      api.post(`/stages/${stage.id}/retire`, { version: stage.version, to: to || null, tellCustomers }, once),
    () => {
      say(full ? texts.retiringNow(stage.name) : texts.retired(stage.name))
      return navigate({ to: '/settings/ladder', search: stage.productLine === 'hi' ? { line: 'hi' } : {} })
    },
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    retire.mutate()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.retireTitle(stage.name)}
      description={full ? texts.retireFull(stage.projects) : texts.retireEmpty}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        {full && (
          <>
            <Field label={texts.goTo}>
              <Select value={to} onChange={(event) => setTo(event.target.value)} required>
                <option value="">{texts.choose}</option>
                {others.map((other) => (
                  <option key={other.id} value={other.id}>
                    {other.name}
                  </option>
                ))}
              </Select>
            </Field>
            <Checkbox
              label={texts.tell}
              checked={tellCustomers}
              onChange={(event) => setTellCustomers(event.target.checked)}
            />
          </>
        )}
        {retire.error && (
          <p role="alert" className="text-bad">
            {retire.error.message}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="danger" type="submit" busy={retire.isPending}>
            {texts.retireConfirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
