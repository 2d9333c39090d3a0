import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/form-dialog.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { ColleagueSelect } from './colleague-select.tsx'
import { type PersonResponse, usePeopleChanged, workQuery } from './use-people.ts'
import { WorkProgress } from './work-progress.tsx'

interface DeactivateDialogProps {
  person: PersonResponse
  companyId: string
  onClose: () => void
}

/** Ends a person's access, and offers to give their work to another. */
export function DeactivateDialog({ person: { id, name }, companyId, onClose }: DeactivateDialogProps) {
  const client = useQueryClient()
  const { say } = useToasts()
  const changed = usePeopleChanged()
  const query = useQuery(workQuery(id))
  const [workTo, setWorkTo] = useState('')
  const [begun, setBegun] = useState(false)
  const deactivate = useSubmit({
    mutationFn: async (_, submission) => {
      await api.post(`/people/${id}/deactivate`, workTo ? { workTo } : {}, submission)
      await client.invalidateQueries({ queryKey: workQuery(id).queryKey })
      await changed()
      say(texts.deactivatedNow(name))
      if (workTo) setBegun(true)
      else onClose()
    },
  })

  return (
    <Dialog open onClose={onClose} title={texts.deactivateTitle(name)} description={texts.deactivateNote}>
      <Loaded query={query}>
        {({ open, reassignment }) =>
          begun && reassignment ? (
            <WorkProgress
              reassignment={reassignment}
              onStopped={() => void query.refetch()}
              onClose={onClose}
            />
          ) : (
            <DialogForm sending={deactivate} confirm={texts.deactivate} kind="danger" onClose={onClose}>
              {open > 0 && (
                <>
                  <p>{texts.openWork(open)}</p>
                  <ColleagueSelect
                    label={texts.work}
                    personId={id}
                    companyId={companyId}
                    value={workTo}
                    onChange={setWorkTo}
                    nobody={texts.keepWork}
                  />
                </>
              )}
            </DialogForm>
          )
        }
      </Loaded>
    </Dialog>
  )
}
