import { useQueryClient } from '@tanstack/react-query'
import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { JobProgress } from '../../../ui/job-progress.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { refreshImport } from './use-import.ts'

const titles = {
  checking: texts.checkingTitle,
  running: texts.runningTitle,
  undoing: texts.undoingTitle,
}

/** Something is being done with the file: how far it is. */
export function WorkingCard({ shown }: { shown: ImportResponse & { state: keyof typeof titles } }) {
  const client = useQueryClient()
  const { id, state, job } = shown
  const undoing = state === 'undoing'
  const progress = undoing ? texts.undoProgress : texts.progress
  return (
    <Card>
      <CardHeader title={titles[state]} />
      <div className="px-5 pt-1 pb-5">
        {job && (
          <JobProgress
            job={job}
            label={progress(job.done, job.total)}
            canStop={!undoing}
            onStopped={() => refreshImport(client, id)}
          />
        )}
      </div>
    </Card>
  )
}
