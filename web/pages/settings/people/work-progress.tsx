import { memberName, useSession } from '../../../session/session.tsx'
import { common } from '../../../texts/en/common.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { JobBadge, JobProgress } from '../../../ui/job-progress.tsx'
import type { WorkResponse } from './use-people.ts'

interface WorkProgressProps {
  reassignment: NonNullable<WorkResponse['reassignment']>
  /** Looks at how far it is now. */
  onStopped: () => void
  onClose: () => void
}

/** How far somebody's work is on its way to another. */
export function WorkProgress({ reassignment, onStopped, onClose }: WorkProgressProps) {
  const session = useSession()
  const { state, failure, done, total, toMemberId } = reassignment
  const to = memberName(session, toMemberId) ?? common.unknown
  return (
    <div aria-live="polite">
      {state === 'running' && (
        <JobProgress
          job={reassignment}
          label={texts.reassigning(formatNumber(done), formatNumber(total))}
          onStopped={onStopped}
        />
      )}
      {(state === 'done' || state === 'cancelled') && (
        <p>
          {state === 'cancelled' && <JobBadge state={state} />}{' '}
          {texts.reassigned(common.count(done, 'record', 'records'), to)}
        </p>
      )}
      {state === 'failed' && <p className="text-bad">{failure}</p>}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {common.close}
        </Button>
      </DialogActions>
    </div>
  )
}
