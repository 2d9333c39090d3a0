import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { CountList } from './counts.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { useImportStep } from './use-import.ts'

/** What an import did, and the ways on from there. */
export function ResultCard({ shown }: { shown: ImportResponse }) {
  const [undoing, setUndoing] = useState(false)
  const step = useImportStep(shown.id)
  const { state, undone, undoneChanged, updated, made } = shown
  return (
    <Card>
      <CardHeader title={texts.reportDone} />
      <div className="flex flex-col gap-4 px-5 pt-1 pb-5">
        <CountList counts={shown} />
        {state === 'undone' && (
          <p>
            {texts.undoneNote(undone, undoneChanged)} {updated > 0 && texts.undoneUpdated(updated)}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {state === 'stopped' && (
            <Button kind="primary" busy={step.isPending} onClick={() => step.mutate({ step: 'start' })}>
              {texts.goOn}
            </Button>
          )}
          <Link to="/leads" className={buttonClass(state === 'done' ? 'primary' : 'plain')}>
            {texts.seeLeads}
          </Link>
          <Link to="/settings/import" className={buttonClass()}>
            {texts.another}
          </Link>
          {(state === 'done' || state === 'stopped') && made > 0 && (
            <Button kind="danger" onClick={() => setUndoing(true)}>
              <Undo2 className="size-4" aria-hidden />
              {texts.undo}
            </Button>
          )}
        </div>
      </div>
      {undoing && <UndoDialog shown={shown} onClose={() => setUndoing(false)} />}
    </Card>
  )
}
