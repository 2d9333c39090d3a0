import { memberName, useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { ProgressBar } from '../import/progress-bar.tsx'
import type { WorkResponse } from './use-people.ts'

interface WorkProgressProps {
  reassignment: NonNullable<WorkResponse['reassignment']>
  onClose: () => void
}

/** How far somebody's work is on its way to another. */
export function WorkProgress({ reassignment, onClose }: WorkProgressProps) {
  const session = useSession()
  const { state, failure, done, total, toMemberId } = reassignment
  const to = memberName(session, toMemberId) ?? common.unknown
  return (
    <div aria-live="polite">
      {state === 'running' && (
        <>
          <ProgressBar
            label={texts.reassigning(formatNumber(done), formatNumber(total))}
            share={total > 0 ? done / total : 0}
          />
          <p className="pt-2 text-ink-soft">{texts.reassignGoesOn}</p>
        </>
      )}
      {state === 'done' && <p>{texts.reassigned(common.count(done, 'record', 'records'), to)}</p>}
      {state === 'failed' && <p className="text-bad">{failure}</p>}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {common.close}
        </Button>
      </DialogActions>
    </div>
  )
}
