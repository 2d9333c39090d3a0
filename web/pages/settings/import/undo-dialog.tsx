import { useQuery } from '@tanstack/react-query'
import type { ImportResponse, UndoResponse } from '../../../../src/api/console/import-responses.ts'
import { api } from '../../../api/client.ts'
import { imports as texts } from '../../../texts/en/imports.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/form-dialog.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { useImportStep } from './use-import.ts'

interface UndoDialogProps {
  shown: ImportResponse
  onClose: () => void
}

/** Says what undoing does, and what it does not, before it is done. */
export function UndoDialog({ shown: { id, updated }, onClose }: UndoDialogProps) {
  const step = useImportStep(id)
  const query = useQuery({
    queryKey: ['import', id, 'undo'],
    queryFn: ({ signal }) => api.get<UndoResponse>(`/imports/${id}/undo`, { signal }),
    staleTime: 0,
  })
  return (
    <Dialog open onClose={onClose} title={texts.undoTitle}>
      <Loaded query={query}>
        {({ made, changed }) => (
          <DialogForm
            sending={step}
            error={null}
            onSubmit={() => step.mutate({ step: 'undo' }, { onSettled: onClose })}
            confirm={texts.undoConfirm}
            kind="danger"
            onClose={onClose}
          >
            <div className="flex flex-col gap-2">
              <p>{texts.undoNote(made)}</p>
              {changed > 0 && <p className="text-warn">{texts.undoChanged(changed)}</p>}
              {updated > 0 && <p>{texts.undoUpdated(updated)}</p>}
            </div>
          </DialogForm>
        )}
      </Loaded>
    </Dialog>
  )
}
