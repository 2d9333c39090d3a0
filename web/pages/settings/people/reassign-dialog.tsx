import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { people as texts } from '../../../texts/en/people.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/form-dialog.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { ColleagueSelect, useColleagues } from './colleague-select.tsx'
import { type PersonResponse, workQuery } from './use-people.ts'
import { WorkProgress } from './work-progress.tsx'

interface ReassignDialogProps {
  person: PersonResponse
  companyId: string
  onClose: () => void
}

/** Gives a person's open work to another. */
export function ReassignDialog({ person: { id, name }, companyId, onClose }: ReassignDialogProps) {
  const client = useQueryClient()
  const query = useQuery(workQuery(id))
  const colleagues = useColleagues(id, companyId)
  const [to, setTo] = useState('')
  const [begun, setBegun] = useState(false)
  const reassign = useSubmit({
    mutationFn: async (_, submission) => {
      await api.post(`/people/${id}/work`, { to }, submission)
      await client.invalidateQueries({ queryKey: workQuery(id).queryKey })
      setBegun(true)
    },
  })

  return (
    <Dialog open onClose={onClose} title={texts.reassignTitle(name)} description={texts.reassignNote}>
      <Loaded query={query}>
        {({ open, reassignment }) => {
          if (reassignment && (begun || reassignment.state === 'running'))
            return (
              <WorkProgress
                reassignment={reassignment}
                onStopped={() => {
                  setBegun(true)
                  void query.refetch()
                }}
                onClose={onClose}
              />
            )
          if (open === 0) return <p>{texts.noWork}</p>
          if (colleagues.length === 0) return <p>{texts.noColleague}</p>
          return (
            <DialogForm
              sending={reassign}
              confirm={texts.reassignStart}
              disabled={to === ''}
              onClose={onClose}
            >
              <p>{texts.openWork(open)}</p>
              <ColleagueSelect
                label={texts.reassignTo}
                personId={id}
                companyId={companyId}
                value={to}
                onChange={setTo}
                nobody={texts.choose}
              />
            </DialogForm>
          )
        }}
      </Loaded>
    </Dialog>
  )
}
