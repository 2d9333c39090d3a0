import { useState } from 'react'
import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { CountList } from './counts.tsx'
import { MappingCard } from './mapping-card.tsx'
import { PreviewCard } from './preview-card.tsx'
import { ProblemsCard } from './problems-card.tsx'
import { SameNotice } from './same-notice.tsx'
import { useImportStep } from './use-import.ts'

/** What the file would do, to be decided about. */
export function Report({ shown }: { shown: ImportResponse }) {
  const [mapping, setMapping] = useState(false)
  const step = useImportStep(shown.id)
  const { made, updated, refused, columns, same } = shown
  const taken = made + updated
  const sells = columns.some(({ field }) => field === 'contractPrice')
  if (mapping) return <MappingCard shown={shown} onDone={() => setMapping(false)} />
  return (
    <>
      <SameNotice shown={shown} />
      <Card>
        <CardHeader title={texts.report} />
        <div className="flex flex-col gap-4 px-5 pt-1 pb-5">
          <CountList counts={shown} />
          <div className="flex flex-col gap-1 text-ink-soft">
            {updated > 0 && <p>{texts.updateNote}</p>}
            {sells && <p>{texts.quietNote}</p>}
            {taken > 0 && refused > 0 && <p className="text-bad">{texts.startRefused(refused)}</p>}
            {taken === 0 && <p className="text-bad">{texts.nothing}</p>}
          </div>
          <div className="flex flex-wrap gap-2">
            {taken > 0 && !(same && made > 0) && (
              <Button kind="primary" busy={step.isPending} onClick={() => step.mutate({ step: 'start' })}>
                {texts.start(taken)}
              </Button>
            )}
            {same && made > 0 && (
              <Button
                kind="danger"
                busy={step.isPending}
                onClick={() => step.mutate({ step: 'start', body: { again: true } })}
              >
                {texts.startAgain(taken)}
              </Button>
            )}
            <Button onClick={() => setMapping(true)}>{texts.checkAgain}</Button>
          </div>
        </div>
      </Card>
      <ProblemsCard shown={shown} />
      <PreviewCard shown={shown} />
    </>
  )
}
