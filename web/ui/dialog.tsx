import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { common } from '../texts/en/common.ts'
import { classes } from './classes.ts'
import { useOpenDialog } from './open-dialogs.ts'
import { UnbrokenText } from './unbroken-text.tsx'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children: ReactNode
  wide?: boolean
  /** Where closing it would lose what the page is waiting for. */
  locked?: boolean
}

/** For what is not of a dialog and yet may be used while one is open: it does not close it. */
export const aboveDialogs = { 'data-above-dialogs': '' }

/** A question that the rest waits for: in the middle, on a phone at the bottom. */
export function Dialog({ open, onClose, title, description, children, wide, locked }: DialogProps) {
  useOpenDialog(open, () => !locked && onClose())
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && !locked && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Radix.Content
          onInteractOutside={(event) => {
            // What its own click took away can be asked for nothing any more; it was no click beside the dialog.
            const pressed = event.target as Element
            if (!pressed.isConnected || pressed.closest?.('[data-above-dialogs]')) event.preventDefault()
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classes(
            'fixed z-50 flex max-h-[92dvh] flex-col overflow-hidden bg-raised shadow-high',
            'inset-x-0 bottom-0 rounded-t-2xl sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[calc(100%-2rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl',
            wide ? 'sm:max-w-3xl' : 'sm:max-w-lg',
          )}
        >
          <div className="flex items-start justify-between gap-4 px-6 pt-5">
            <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
            {!locked && (
              <Radix.Close
                aria-label={common.close}
                className="-mt-1 -mr-2 inline-flex size-9 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken"
              >
                <X className="size-5" aria-hidden />
              </Radix.Close>
            )}
          </div>
          {description && (
            <Radix.Description className="px-6 pt-1 text-ink-soft">
              {typeof description === 'string' ? <UnbrokenText>{description}</UnbrokenText> : description}
            </Radix.Description>
          )}
          <div className="overflow-y-auto px-6 pt-4 pb-6">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The buttons that end a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
}
