import { api, type Value } from '../../api/client.ts'
import { useOvertaken } from '../../ui/overtaken.ts'
import { type ProjectResponse, useProjectChange } from './use-project.ts'

interface FieldChange {
  /** Under which name changes of it are told, and what it was for whoever changes it. */
  field: string
  seen: Value | undefined
  label: string
  /** How a value of it reads. */
  words: (value: string) => string
  body: object
  expect: (project: ProjectResponse) => ProjectResponse
}

/** Sets a field of a project where it stands; where others were quicker, the person says which holds. */
export function useProjectField(project: ProjectResponse) {
  const change = useProjectChange(project)
  const overtaken = useOvertaken()
  return ({ field, seen, label, words, body, expect }: FieldChange) => {
    const send = (over: Record<string, Value>) =>
      change.mutate({
        send: () => api.patch(`/projects/${project.id}`, { ...body, seen: over }),
        expect,
        onRefused: (error) =>
          overtaken(error, { field, label, words, again: (now) => send({ [field]: now }) }),
      })
    // What is on its way already is one's own.
    send(change.isPending || seen === undefined ? {} : { [field]: seen })
  }
}
