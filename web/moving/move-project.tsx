import { type ReactNode, useCallback, useState } from 'react'
import type { MovePreview, StageMovedResponse } from '../../src/api/console/projects.ts'
import { api } from '../api/client.ts'
import { moving as texts } from '../texts/en/moving.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { hasRecipients, type NotifyChoice, notifyEverybody, RecipientFields } from './recipients.tsx'

export type { StageMovedResponse }

/** For how long a toast offers to take a move back: a little less than its emails wait. */
export const undoMs = 29_000

/** Whoever was asked said no, so nothing was done. */
export class NotMoved extends Error {
  override name = 'NotMoved'
}

interface Question {
  customer: string
  preview: MovePreview
  answer: (notify: NotifyChoice | null) => void
}

export interface MoveQuestion {
  /** Moves a project; asks first where somebody would be told. Throws NotMoved where it is left. */
  move: (id: string, customer: string, stage: string) => Promise<StageMovedResponse>
  /** What it asks, to stand somewhere on the page. */
  question: ReactNode
}

/** Every move that people make in the console: it says who will be told, and lets that be left out. */
export function useMoveQuestion(): MoveQuestion {
  const [asked, setAsked] = useState<Question | null>(null)
  const move = useCallback(async (id: string, customer: string, stage: string) => {
    const path = `/projects/${encodeURIComponent(id)}`
    const preview = await api.get<MovePreview>(`${path}/move?stage=${encodeURIComponent(stage)}`)
    const { promise, resolve } = Promise.withResolvers<NotifyChoice | null>()
    if (hasRecipients(preview)) setAsked({ customer, preview, answer: resolve })
    else resolve(notifyEverybody)
    const notify = await promise
    setAsked(null)
    if (!notify) throw new NotMoved()
    return api.post<StageMovedResponse>(`${path}/stage`, { stage, ...notify })
  }, [])
  return { move, question: asked && <MoveDialog {...asked} /> }
}

export function undoMove(id: string, moveId: string): Promise<{ stage: string }> {
  return api.post(`/projects/${encodeURIComponent(id)}/undo-move`, { moveId })
}

function MoveDialog({ customer: name, preview, answer }: Question) {
  const { stage, installationPanels } = preview
  const [notify, setNotify] = useState(notifyEverybody)
  return (
    <FormDialog
      title={texts.title(name, stage)}
      description={texts.note}
      onSubmit={() => answer(notify)}
      confirm={texts.confirm}
      onClose={() => answer(null)}
    >
      <RecipientFields recipients={preview} name={name} notify={notify} onChange={setNotify} />
      {installationPanels !== null && <p>{texts.installation(installationPanels)}</p>}
    </FormDialog>
  )
}
