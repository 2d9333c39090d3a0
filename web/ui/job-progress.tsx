import type { LongJobResponse } from '../../src/api/console/long-jobs.ts'
import { api } from '../api/client.ts'
import { useSubmit } from '../api/use-submit.ts'
import { jobs as texts } from '../texts/en/jobs.ts'
import { Button } from './button.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { Badge, type Tone } from './surface.tsx'
import { useToasts } from './toast.tsx'

interface JobProgressProps {
  job: LongJobResponse
  /** What of what is done. */
  label: string
  canStop?: boolean
  /** Looks at how it is now. */
  onStopped: () => void
}

/** How far long work is, and a button that ends it. */
export function JobProgress({ job, label, canStop = true, onStopped }: JobProgressProps) {
  const { complain } = useToasts()
  const stop = useSubmit({
    mutationFn: (_, submission) => api.post<LongJobResponse>(`/jobs/${job.id}/stop`, undefined, submission),
    onError: complain,
    // It may have ended by itself.
    onSettled: onStopped,
  })
  const { done, total, failure } = job
  return (
    <>
      <ProgressBar label={label} share={total > 0 ? done / total : 0} />
      {failure && (
        <p role="alert" className="pt-3 text-bad">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 pt-3">
        <p className="text-[0.87rem] text-ink-soft">
          {texts.goesOn} {canStop && texts.stopNote}
        </p>
        {canStop && (
          <Button busy={stop.isPending} onClick={() => stop.mutate()}>
            {texts.stop}
          </Button>
        )}
      </div>
    </>
  )
}

const tones: Record<LongJobResponse['state'], Tone> = {
  running: 'info',
  done: 'good',
  failed: 'bad',
  cancelled: 'warn',
}

export function JobBadge({ state }: Pick<LongJobResponse, 'state'>) {
  return <Badge tone={tones[state]}>{texts.states[state]}</Badge>
}
