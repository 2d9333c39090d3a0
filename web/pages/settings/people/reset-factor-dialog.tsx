import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type PersonResponse, usePeopleChanged } from './use-people.ts'

interface ResetFactorDialogProps {
  person: PersonResponse
  onClose: () => void
}

/** Takes a lost second factor away, once it is sure who asks for it. */
export function ResetFactorDialog({ person: { id, name, secondFactor }, onClose }: ResetFactorDialogProps) {
  const { say } = useToasts()
  const changed = usePeopleChanged()
  const reset = useSubmit({
    mutationFn: (_, submission) => api.post(`/people/${id}/second-factor/reset`, {}, submission),
    onSuccess: async () => {
      await changed()
      say(texts.factorReset(name))
      onClose()
    },
  })
  return (
    <FormDialog
      title={texts.resetFactorTitle(name)}
      description={secondFactor === 'lost' ? texts.factorLostNote(name) : texts.resetFactorNote}
      sending={reset}
      confirm={texts.resetFactorNow}
      kind="danger"
      onClose={onClose}
    >
      {secondFactor === 'lost' && <p>{texts.resetFactorNote}</p>}
      <ul className="list-disc space-y-0.5 pl-5 text-ink-soft">
        {texts.resetFactorEffects(name).map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </FormDialog>
  )
}
