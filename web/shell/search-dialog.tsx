import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { FoundLine, type FoundRecord, recordsOf } from '../search/found-record.tsx'
import { useSearch } from '../search/use-search.ts'
import { search as texts } from '../texts/en/search.ts'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TextInput } from '../ui/field.tsx'
import { EmptyState, Loaded } from '../ui/states.tsx'

/** The search box that is there on every page, and under / and Ctrl or Cmd with K. */
export function SearchButton() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const held = event.ctrlKey || event.metaKey
      if (event.defaultPrevented || event.altKey) return
      const asked = held
        ? event.key.toLowerCase() === 'k' && !event.shiftKey
        : event.key === '/' && !isTyping(event.target)
      if (!asked) return
      // Also where nothing opens: the browser's own meaning of it would lead away from the dialog.
      event.preventDefault()
      if (!document.querySelector('[role=dialog]')) setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-keyshortcuts="/ Control+K Meta+K"
        title={texts.shortcuts(withK)}
        className={classes(
          'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-[0.73rem] text-brand-ink/80 hover:text-brand-ink focus-visible:outline-sun',
          'sm:order-first sm:mb-3 sm:min-h-10 sm:flex-none sm:flex-row sm:justify-start sm:gap-3 sm:rounded-lg sm:border sm:border-white/15 sm:bg-white/6 sm:px-3 sm:text-[0.95rem] sm:hover:bg-white/10',
        )}
      >
        <Search className="size-5 sm:size-4" aria-hidden />
        <span className="sm:flex-1 sm:text-left">{texts.title}</span>
        {['/', withK].map((keys) => (
          <kbd
            key={keys}
            aria-hidden
            className="hidden rounded border border-white/25 px-1.5 font-sans text-[0.8rem] whitespace-nowrap sm:block"
          >
            {keys}
          </kbd>
        ))}
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title={texts.title} wide>
        <SearchBox onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

const withK = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}

/** Typed into, chosen from by arrow keys, opened by Enter. */
function SearchBox({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const { q, found } = useSearch(typed)
  const listId = useId()
  const records = q && found.data ? recordsOf(found.data) : []
  const at = Math.min(chosen, records.length - 1)
  const optionId = (index: number) => `${listId}-${index}`

  function open({ kind, id }: FoundRecord) {
    onDone()
    void navigate({ to: kind === 'leads' ? '/leads/$id' : '/projects/$id', params: { id } })
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && records.length > 0) {
      event.preventDefault()
      const next = (at + step + records.length) % records.length
      setChosen(next)
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && records[at]) open(records[at])
  }

  return (
    <div className="flex flex-col gap-3">
      <TextInput
        type="search"
        role="combobox"
        aria-label={texts.label}
        aria-expanded={records.length > 0}
        aria-controls={listId}
        aria-activedescendant={records[at] ? optionId(at) : undefined}
        aria-autocomplete="list"
        autoFocus
        value={typed}
        placeholder={texts.hint}
        maxLength={200}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(0)
        }}
      />
      <p role="status" className="sr-only">
        {q && found.data ? texts.found(records.length) : ''}
      </p>
      <div id={listId} role="listbox" aria-label={texts.title} className="min-h-48">
        {q &&
          records.map((record, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the input, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
            <div
              key={record.id}
              id={optionId(index)}
              role="option"
              aria-selected={index === at}
              onClick={() => open(record)}
              onPointerMove={() => setChosen(index)}
              className={classes('cursor-pointer rounded-lg px-3 py-2', index === at && 'bg-sunken')}
            >
              <FoundLine record={record} />
            </div>
          ))}
      </div>
      {!q && (
        <EmptyState icon={<Search aria-hidden />} title={texts.begin}>
          {texts.beginNote}
        </EmptyState>
      )}
      {q && (
        <Loaded query={found}>
          {() =>
            records.length === 0 ? (
              <EmptyState title={texts.nothing(q)}>{texts.nothingNote}</EmptyState>
            ) : (
              <p className="hidden text-[0.8rem] text-ink-soft sm:block">{texts.keys}</p>
            )
          }
        </Loaded>
      )}
    </div>
  )
}
