import { Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { common } from '../../texts/en/common.ts'
import { project as texts } from '../../texts/en/project.ts'
import { Button } from '../../ui/button.tsx'
import { ChangedMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field, TextArea } from '../../ui/field.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { UnbrokenText } from '../../ui/unbroken-text.tsx'
import { type ProjectResponse, useProjectChange } from './use-project.ts'

/** What somebody writes, and what they saw when they began. */
function useNotesDraft({ id, notes: { project: now } }: ProjectResponse) {
  const draft = useDraft<{ text: string; seen: string | null } | string>(`project-notes-${id}`, {
    text: now ?? '',
    seen: now,
  })
  // A text alone is what an older build has kept.
  const { text, seen } = typeof draft.value === 'string' ? { text: draft.value, seen: now } : draft.value
  return {
    draft,
    text,
    seen,
    write: (typed: string) => draft.write({ text: typed, seen }),
    changedMeanwhile: draft.begun && now !== seen && (now ?? '') !== text.trim(),
    keepMine: () => draft.write({ text, seen: now }),
  }
}

export function NotesCard({ project }: { project: ProjectResponse }) {
  const { notes, can } = project
  const { draft, text, write, changedMeanwhile, keepMine, seen } = useNotesDraft(project)
  const [begun, setEditing] = useState(draft.begun)
  const editing = begun && can.write
  const change = useProjectChange(project)

  function end() {
    draft.discard()
    setEditing(false)
  }

  function save(event: FormEvent) {
    event.preventDefault()
    if (changedMeanwhile) return
    change.mutate({
      send: () => api.patch(`/projects/${project.id}`, { notes: text, seen: { notes: seen } }),
      onDone: end,
    })
  }

  return (
    <Card>
      <CardHeader
        title={texts.notes}
        actions={
          can.write &&
          !editing && (
            <Button small kind="quiet" onClick={() => setEditing(true)}>
              <Pencil className="size-4" aria-hidden />
              {notes.project ? texts.editNotes : texts.addNotes}
            </Button>
          )
        }
      />
      <div className="flex flex-col gap-3 px-5 pb-5">
        {editing ? (
          <form onSubmit={save}>
            <Field label={texts.notes} labelHidden hint={draft.begun ? texts.draftKept : null}>
              <TextArea
                rows={5}
                maxLength={20_000}
                value={text}
                onChange={(event) => write(event.target.value)}
                autoFocus
              />
            </Field>
            {changedMeanwhile && (
              <div className="pt-3">
                <ChangedMeanwhile
                  theirs={[[texts.notes, notes.project ?? '']]}
                  onKeep={keepMine}
                  onDiscard={end}
                />
              </div>
            )}
            <div className="flex justify-end gap-2 pt-3">
              <Button onClick={end}>{common.cancel}</Button>
              <Button kind="primary" type="submit" busy={change.isPending}>
                {common.save}
              </Button>
            </div>
          </form>
        ) : (
          <p className={notes.project ? 'whitespace-pre-wrap' : 'text-ink-soft'}>
            <UnbrokenText>{notes.project ?? texts.noNotes}</UnbrokenText>
          </p>
        )}
        {notes.customer && (
          <div className="rounded-lg bg-sunken px-4 py-3">
            <p className="text-[0.8rem] font-medium text-ink-soft">{texts.customerNotes}</p>
            <p className="whitespace-pre-wrap">
              <UnbrokenText>{notes.customer}</UnbrokenText>
            </p>
          </div>
        )}
      </div>
    </Card>
  )
}
