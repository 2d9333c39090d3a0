import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { useImportStep } from './use-import.ts'

const titles = {
  checking: texts.checkingTitle,
  running: texts.runningTitle,
  undoing: texts.undoingTitle,
}

/** Something is being done with the file: how far it is. */
export function WorkingCard({ shown }: { shown: ImportResponse & { state: keyof typeof titles } }) {
  const step = useImportStep(shown.id)
  const { state, rowsDone, rowsTotal, undone, made } = shown
  const undoing = state === 'undoing'
  const [done, total] = undoing ? [undone, made] : [rowsDone, rowsTotal]
  return (
    <Card>
      <CardHeader
        title={titles[state]}
        actions={
          !undoing && (
            <Button busy={step.isPending} onClick={() => step.mutate({ step: 'stop' })}>
              {texts.stop}
            </Button>
          )
        }
      />
      <div className="px-5 pt-1 pb-5">
        <ProgressBar
          label={undoing ? texts.undoProgress(done, total) : texts.progress(done, total)}
          share={total === 0 ? 0 : done / total}
        />
        {state !== 'checking' && <p className="pt-3 text-[0.87rem] text-ink-soft">{texts.leaveNote}</p>}
      </div>
    </Card>
  )
}
