import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ViewList, ViewResponse } from '../../src/api/console/views.ts'
import { api, query as queryString } from '../api/client.ts'
import { useSubmit } from '../api/use-submit.ts'
import { common } from '../texts/en/common.ts'
import { views as texts } from '../texts/en/views.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx'
import { useToasts } from '../ui/toast.tsx'

interface SavedViewsProps {
  page: ViewResponse['page']
  /** What stands behind the question mark of the address now. */
  query: string
  onOpen: (query: string) => void
}

/** The views of a page that one comes back to. */
export function SavedViews({ page, query, onOpen }: SavedViewsProps) {
  const { data } = useQuery({
    queryKey: ['views', page],
    queryFn: ({ signal }) => api.get<ViewList>(`/views${queryString({ page })}`, { signal }),
  })
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  const views = data?.views ?? []
  const here = sorted(query)
  const current = views.find((view) => sorted(view.query) === here)
  const close = () => setOpen(null)

  return (
    <>
      <Menu
        trigger={
          <Button className="max-w-56">
            <Bookmark className="size-4 shrink-0" aria-hidden />
            <span className="truncate">{current?.name ?? texts.views}</span>
          </Button>
        }
      >
        <MenuLabel>{views.length > 0 ? texts.views : texts.none}</MenuLabel>
        {views.map((view) => (
          <MenuItem key={view.id} current={view === current} onSelect={() => onOpen(view.query)}>
            {view.name}
          </MenuItem>
        ))}
        <MenuItem current={here === ''} onSelect={() => onOpen('')}>
          {texts.all}
        </MenuItem>
        <MenuLine />
        <MenuItem disabled={here === ''} onSelect={() => setOpen('save')}>
          {texts.save}
        </MenuItem>
        <MenuItem disabled={views.length === 0} onSelect={() => setOpen('manage')}>
          {texts.manage}
        </MenuItem>
      </Menu>
      {open === 'save' && <SaveDialog page={page} query={query} views={views} onClose={close} />}
      <Dialog open={open === 'manage'} onClose={close} title={texts.manageTitle}>
        <ViewsToRemove page={page} views={views} />
      </Dialog>
    </>
  )
}

/** The same filters read the same in whichever order they were set. */
function sorted(query: string): string {
  const words = new URLSearchParams(query)
  words.sort()
  return words.toString()
}

interface SaveDialogProps extends Omit<SavedViewsProps, 'onOpen'> {
  views: ViewResponse[]
  onClose: () => void
}

function SaveDialog({ page, query, views, onClose }: SaveDialogProps) {
  const [name, setName] = useState('')
  const client = useQueryClient()
  const { say } = useToasts()
  const save = useSubmit({
    mutationFn: (_, submission) =>
      api.post('/views', { page, name, query: query.replace(/^\?/, '') }, submission),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['views', page] })
      say(texts.saved(name.trim()))
      onClose()
    },
  })
  return (
    <FormDialog
      title={texts.saveTitle}
      description={texts.saveNote}
      sending={save}
      error={null}
      confirm={common.save}
      disabled={name.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        error={save.error?.message}
        hint={views.some((view) => view.name === name.trim()) ? texts.replaces : null}
        value={name}
        onChange={setName}
        maxLength={60}
        required
        autoFocus
      />
    </FormDialog>
  )
}

function ViewsToRemove({ page, views }: { page: string; views: ViewResponse[] }) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const remove = useSubmit({
    mutationFn: ({ id }: ViewResponse, submission) => api.delete(`/views/${id}`, submission),
    onSuccess: (_answer, { name }) => say(texts.removed(name)),
    onError: complain,
    onSettled: () => client.invalidateQueries({ queryKey: ['views', page] }),
  })
  if (views.length === 0) return <p className="text-ink-soft">{texts.none}</p>
  return (
    <ul className="divide-y divide-line/70">
      {views.map((view) => (
        <li key={view.id} className="flex items-center gap-3 py-1">
          <span className="min-w-0 flex-1 truncate">{view.name}</span>
          <IconButton
            label={texts.remove(view.name)}
            disabled={remove.isPending}
            onClick={() => remove.mutate(view)}
          >
            <Trash2 className="size-4" aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
