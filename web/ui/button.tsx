import { LoaderCircle } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classes } from './classes.ts'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const look: Record<ButtonKind, string> = {
  primary: 'bg-action text-action-ink hover:bg-action-hover border-transparent shadow-card',
  plain: 'bg-surface text-ink border-line hover:bg-sunken shadow-card',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-sunken',
  danger: 'bg-surface text-bad border-line hover:bg-bad-soft shadow-card',
}

export const buttonClass = (kind: ButtonKind = 'plain', small = false) =>
  classes(
    'inline-flex items-center justify-center gap-2 rounded-lg border font-medium whitespace-nowrap select-none transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60',
    small ? 'min-h-8 px-2.5 text-[0.87rem]' : 'min-h-10 px-4',
    look[kind],
  )

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind
  small?: boolean
  /** Something is under way: the button waits for it. */
  busy?: boolean
  /** It can still be focused while it is busy: the next press comes from the same place. */
  keepsFocus?: boolean
}

export function Button({
  kind,
  small,
  busy,
  keepsFocus,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={classes(buttonClass(kind, small), className)}
      disabled={disabled || (busy && !keepsFocus)}
      aria-disabled={(busy && keepsFocus) || undefined}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <LoaderCircle className="size-4 animate-spin" aria-hidden />}
      {children}
    </button>
  )
}

/** A button that is only a picture: its label is read out and shown on hovering. */
export function IconButton({
  label,
  children,
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { label: string; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classes(
        'inline-flex size-10 shrink-0 items-center justify-center rounded-lg text-ink-soft hover:bg-sunken hover:text-ink',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
