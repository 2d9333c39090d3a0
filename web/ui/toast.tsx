import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { common } from '../texts/en/common.ts'
import { classes } from './classes.ts'
import { aboveDialogs } from './dialog.tsx'
import { useHasOpenDialog } from './open-dialogs.ts'
import { UnbrokenText } from './unbroken-text.tsx'

interface Toast {
  id: number
  text: string
  bad: boolean
  action?: ToastAction | undefined
}

interface ToastAction {
  label: string
  run: () => void
  /** For how long it is offered; as long as any message where nothing is said. */
  forMs?: number
}

interface Toasts {
  say: (text: string, action?: Toast['action']) => void
  /** Something went wrong; stays until it is closed. */
  complain: (error: unknown) => void
  /** Something is in the way, and this may be done about it; stays until one of the two is chosen. */
  ask: (text: string, action: ToastAction) => void
}

const ToastContext = createContext<Toasts | null>(null)
const shownMs = 6_000
const maxShown = 4

/** Short messages in a corner about what was just done. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const nextId = useRef(1)
  const overDialog = useHasOpenDialog()
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), [])
  const toastsApi = useMemo<Toasts>(() => {
    const add = (text: string, bad: boolean, action?: Toast['action']) => {
      const id = nextId.current++
      setToasts((all) => [...all.slice(1 - maxShown), { id, text, bad, action }])
      if (!bad) setTimeout(close, action?.forMs ?? shownMs, id)
    }
    return {
      say: (text, action) => add(text, false, action),
      complain: (error) => add(error instanceof Error ? error.message : String(error), true),
      ask: (text, action) => add(text, true, action),
    }
  }, [close])

  return (
    <ToastContext value={toastsApi}>
      {children}
      <section
        aria-label={common.messages}
        aria-live="polite"
        {...aboveDialogs}
        className={classes(
          'pointer-events-none fixed inset-x-4 z-60 flex flex-col items-center gap-2 sm:inset-x-auto sm:right-6 sm:items-end',
          // A dialog ends at the bottom of a phone, and what it shows may be shown only once.
          overDialog ? 'top-2 sm:top-6' : 'bottom-20 sm:bottom-6',
        )}
      >
        {toasts.map(({ id, text, bad, action }) => (
          <div
            key={id}
            role={bad ? 'alert' : 'status'}
            className="pointer-events-auto flex w-full max-w-md items-start gap-3 rounded-xl border border-line bg-raised py-3 pr-2 pl-4 shadow-high"
          >
            {bad ? (
              <CircleAlert className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
            ) : (
              <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-hidden />
            )}
            <p className="min-w-0 flex-1">
              <UnbrokenText>{text}</UnbrokenText>
            </p>
            {action && (
              <button
                type="button"
                className={classes('shrink-0 rounded px-2 font-medium text-action hover:underline')}
                onClick={() => {
                  close(id)
                  action.run()
                }}
              >
                {action.label}
              </button>
            )}
            <button
              type="button"
              aria-label={common.close}
              onClick={() => close(id)}
              className="inline-flex size-7 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken"
            >
              <X className="size-4" aria-hidden />
            </button>
          </div>
        ))}
      </section>
    </ToastContext>
  )
}

export function useToasts(): Toasts {
  const toasts = useContext(ToastContext)
  if (!toasts) throw new Error('no ToastProvider')
  return toasts
}
