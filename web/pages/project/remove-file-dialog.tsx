import type { ProjectFile } from '../../../src/api/console/project-responses.ts'
import { api } from '../../api/client.ts'
import { files as texts } from '../../texts/en/files.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { type ProjectResponse, useProjectChange } from './use-project.ts'

interface RemoveFileDialogProps {
  project: ProjectResponse
  file: ProjectFile
  onClose: () => void
}

/** Asks once more: a file that is removed does not come back. */
export function RemoveFileDialog({ project, file, onClose }: RemoveFileDialogProps) {
  const change = useProjectChange(project)
  const { say, complain } = useToasts()
  const remove = () =>
    change.mutate({
      send: () => api.delete(`/projects/${project.id}/files/${file.id}`),
      onDone: () => {
        say(texts.removed(file.name))
        onClose()
      },
      onRefused: (error) => {
        complain(error)
        onClose()
      },
    })
  return (
    <FormDialog
      title={texts.removeTitle}
      description={texts.removeNote(file.name)}
      sending={change}
      error={null}
      onSubmit={remove}
      confirm={texts.removeNow}
      kind="danger"
      onClose={onClose}
    />
  )
}
