import { useQueryClient } from '@tanstack/react-query'
import type { QuarantineDecision } from '../../../src/api/console/quarantine.ts'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { quarantine as texts } from '../../texts/en/quarantine.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatNumber } from '../../ui/format.ts'
import { useToasts } from '../../ui/toast.tsx'
import { monitoringKey } from '../monitoring/use-monitoring.ts'
import type { QuarantinedResponse } from '../monitoring/use-quarantine.ts'

interface DecideDialogProps {
  readings: readonly QuarantinedResponse[]
  decision: QuarantineDecision
  onClose: () => void
}

/** Asks first, and says what it moves. */
export function DecideDialog({ readings, decision, onClose }: DecideDialogProps) {
  const { say } = useToasts()
  const client = useQueryClient()
  const decide = useSubmit({
    mutationFn: (_, submission) =>
      api.post<{ decided: number }>(
        '/quarantine/decisions',
        { ids: readings.map(({ id }) => id), decision },
        submission,
      ),
    onSuccess: ({ decided }) => {
      say(decision === 'release' ? texts.released(decided) : texts.dropped(decided))
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: monitoringKey }),
  })
  const added = readings.reduce((sum, { kwh, standingKwh }) => sum + kwh - (standingKwh ?? 0), 0)
  const isRelease = decision === 'release'
  return (
    <FormDialog
      title={(isRelease ? texts.releaseTitle : texts.dropTitle)(readings.length)}
      description={isRelease ? texts.releaseNote(formatNumber(added)) : texts.dropNote}
      sending={decide}
      cancel={texts.cancel}
      confirm={isRelease ? texts.release : texts.drop}
      kind={isRelease ? 'primary' : 'danger'}
      onClose={onClose}
    />
  )
}
