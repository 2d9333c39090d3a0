import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { NewLinkResponse } from '../../../src/api/console/links.ts'
import type { ProjectFile } from '../../../src/api/console/project-responses.ts'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { files as fileTexts } from '../../texts/en/files.ts'
import { links as texts } from '../../texts/en/links.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, SelectField, TextInput } from '../../ui/field.tsx'
import { DialogForm } from '../../ui/form-dialog.tsx'
import type { Folder } from './use-project.ts'

export type ToShare = { file: ProjectFile } | { folder: Folder } | 'proposal'

interface ShareDialogProps {
  projectId: string
  shared: ToShare
  onClose: () => void
}

const choices = ['1', '7', '30', '365']

/** Makes an address for those who do not sign in; it is shown this once. */
export function ShareDialog({ projectId, shared, onClose }: ShareDialogProps) {
  const [days, setDays] = useState('7')
  const client = useQueryClient()
  const made = useSubmit({
    mutationFn: (_, submission) =>
      api.post<NewLinkResponse>(
        `/projects/${projectId}/links`,
        { ...bodyOf(shared), days: Number(days) },
        submission,
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['links', projectId] }),
  })
  const { title, note } = wordsOf(shared)
  return (
    <Dialog open onClose={onClose} title={title} description={note}>
      {made.data ? (
        <>
          <Field label={texts.address} hint={texts.once}>
            <TextInput readOnly value={made.data.address} onFocus={(event) => event.target.select()} />
          </Field>
          <DialogActions>
            <CopyButton text={made.data.address} label={texts.copy} done={texts.copied} />
            <Button kind="primary" onClick={onClose}>
              {texts.done}
            </Button>
          </DialogActions>
        </>
      ) : (
        <DialogForm sending={made} error={null} confirm={texts.make} onClose={onClose}>
          <SelectField
            label={texts.until}
            error={made.error?.message}
            value={days}
            options={choices.map((choice) => [choice, texts.days[Number(choice)]!])}
            onChange={setDays}
          />
        </DialogForm>
      )}
    </Dialog>
  )
}

function bodyOf(shared: ToShare) {
  if (shared === 'proposal') return { kind: 'proposal' }
  return 'file' in shared
    ? { kind: 'file', fileId: shared.file.id }
    : { kind: 'folder', folder: shared.folder }
}

function wordsOf(shared: ToShare): { title: string; note: string } {
  if (shared === 'proposal') return { title: texts.shareProposal, note: texts.ofProposal }
  if ('file' in shared) {
    const { name } = shared.file
    return { title: texts.shareFile(name), note: texts.ofFile(name) }
  }
  const name = fileTexts.folders[shared.folder]
  return { title: texts.shareFolder(name), note: texts.ofFolder(name) }
}
