import { LoaderCircle, Pencil } from 'lucide-react'
import { type InputHTMLAttributes, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { common } from '../texts/en/common.ts'
import { editable as texts } from '../texts/en/editable.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { classes } from './classes.ts'
import { useDraft } from './draft.ts'
import { Field, TextArea, TextInput } from './field.tsx'
import { UnbrokenText } from './unbroken-text.tsx'

interface Typed {
  text: string
  /** What was there when the first of it was typed. */
  seen: string | null
}

interface EditableProps {
  label: string
  value: string | null
  /** How it reads, where that is not how it is written. */
  shown?: string | undefined
  /**
   * Told also what it was when the writing began, for the case that others have changed it since. Rejects where it is
   * refused: the text then stays, with the reason beside it.
   */
  onSave: (text: string, seen: string | null) => Promise<unknown>
  /** Under which name what is typed is kept until it is saved. */
  draftKey: string
  readOnly?: boolean
  multiline?: boolean
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** A value that reads like one and is edited where it stands. Enter saves it, and so does leaving it; Escape does not. */
export function Editable({
  label,
  value,
  shown = value ?? '',
  onSave,
  draftKey,
  readOnly,
  multiline,
  input,
}: EditableProps) {
  const draft = useDraft<Typed>(draftKey, { text: value ?? '', seen: value })
  // A text alone is what an older build has kept.
  const kept: Typed | string = draft.value
  const { text, seen } = typeof kept === 'string' ? { text: kept, seen: value } : kept
  const [editing, setEditing] = useState(draft.begun)
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState<{ text: string; why: string } | null>(null)
  // What the server said that others have made of it, before the page has heard of it.
  const [saved, setSaved] = useState<{ now: string | null } | null>(null)
  const now = saved ? saved.now : value
  const changedMeanwhile =
    editing && !saving && draft.begun && (now ?? '') !== (seen ?? '') && (now ?? '') !== text.trim()
  const button = useRef<HTMLButtonElement>(null)
  const returning = useRef(false)
  // What was left from before does not draw the keyboard to itself.
  const [opened, setOpened] = useState(false)

  useEffect(() => {
    if (editing || !returning.current) return
    returning.current = false
    button.current?.focus()
  }, [editing])

  function end(byKeyboard: boolean) {
    draft.discard()
    setRefused(null)
    setSaved(null)
    returning.current = byKeyboard
    setEditing(false)
  }

  async function save(byKeyboard: boolean, over = seen) {
    // Leaving what was just refused says nothing new.
    if (saving || (!byKeyboard && text === refused?.text)) return
    if (text.trim() === (now ?? '')) return end(byKeyboard)
    // Which of the two holds is to be said first.
    if ((over ?? '') !== (now ?? '') && draft.begun) return
    setSaving(true)
    try {
      await onSave(text.trim(), over)
      end(byKeyboard)
    } catch (failure) {
      const changed = failure instanceof ApiError && failure.now ? Object.values(failure.now)[0] : undefined
      if (changed !== undefined) setSaved({ now: changed === null ? null : String(changed) })
      else setRefused({ text, why: failure instanceof Error ? failure.message : String(failure) })
    } finally {
      setSaving(false)
    }
  }

  /** Goes on with what is typed, knowing what others have written. */
  function keepMine() {
    draft.write({ text, seen: now })
    void save(true, now)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      event.stopPropagation()
      end(true)
    }
    if (event.key === 'Enter' && (!multiline || event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      save(true)
    }
  }

  if (readOnly)
    return (
      <span className={classes('block py-1.5', multiline && 'whitespace-pre-wrap')}>
        {shown ? <UnbrokenText>{shown}</UnbrokenText> : <span className="text-ink-soft">{common.none}</span>}
      </span>
    )
  if (!editing)
    return (
      <button
        ref={button}
        type="button"
        aria-label={shown ? texts.edit(label, shown) : texts.add(label)}
        onClick={() => {
          setOpened(true)
          setEditing(true)
        }}
        className="group relative -mx-2 flex min-h-9 w-[calc(100%+1rem)] items-center rounded-lg px-2 py-1.5 text-left hover:bg-sunken"
      >
        <span
          className={classes('min-w-0 flex-1', multiline && 'whitespace-pre-wrap', !shown && 'text-ink-soft')}
        >
          {shown ? <UnbrokenText>{shown}</UnbrokenText> : common.add}
        </span>
        <Pencil
          aria-hidden
          className="absolute top-1.5 right-1.5 size-6 rounded bg-sunken p-1.25 text-ink-soft opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100"
        />
      </button>
    )
  const type = (typed: string) => draft.write({ text: typed, seen })
  const typing = {
    value: text,
    readOnly: saving,
    autoFocus: opened,
    onBlur: () => save(false),
    onKeyDown,
  }
  return (
    <Field
      label={label}
      labelHidden
      error={refused?.why}
      hint={multiline ? texts.keys : null}
      className="relative -mx-2"
    >
      {multiline ? (
        <TextArea rows={5} maxLength={20_000} {...typing} onChange={(event) => type(event.target.value)} />
      ) : (
        <TextInput
          maxLength={200}
          autoComplete="off"
          className="min-h-9! px-2!"
          {...input}
          {...typing}
          onChange={(event) => type(event.target.value)}
        />
      )}
      {saving && (
        <LoaderCircle
          aria-label={texts.saving}
          className="absolute top-2.5 right-2.5 size-4 animate-spin text-ink-soft"
        />
      )}
      {changedMeanwhile && (
        <ChangedMeanwhile theirs={[[label, now ?? '']]} onKeep={keepMine} onDiscard={() => end(true)} />
      )}
    </Field>
  )
}
