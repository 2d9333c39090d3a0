import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { UnbrokenText } from './unbroken-text.tsx'

interface CardProps {
  /** What it shows is of before, and the next is on its way. It stays readable: dimmed text has too little contrast. */
  busy?: boolean
  className?: string
  children: ReactNode
}

export function Card({ busy = false, className, children }: CardProps) {
  return (
    <section
      aria-busy={busy}
      className={classes(
        'rounded-xl border border-line bg-surface shadow-card',
        busy && 'cursor-progress',
        className,
      )}
    >
      {children}
    </section>
  )
}

interface CardHeaderProps {
  title: string
  actions?: ReactNode
  children?: ReactNode
}

export function CardHeader({ title, actions, children }: CardHeaderProps) {
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-2">
      <h2 className="min-w-0 flex-1 font-semibold">{title}</h2>
      {actions}
      {children && <div className="w-full text-ink-soft">{children}</div>}
    </header>
  )
}

interface PageHeaderProps {
  title: ReactNode
  /** Under the title, in soft ink. */
  note?: ReactNode
  actions?: ReactNode
}

const whole = (content: ReactNode) =>
  typeof content === 'string' ? <UnbrokenText>{content}</UnbrokenText> : content

export function PageHeader({ title, note, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-3 pb-5">
      <div className="min-w-0 flex-1 basis-72">
        <h1 className="text-[1.45rem] leading-tight font-semibold tracking-tight">{whole(title)}</h1>
        {note && <div className="pt-1 text-ink-soft">{whole(note)}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}

/** What a page may take of a large screen: lines that are read stay short, cards stand beside each other, lists take all. */
const rooms = { text: 'max-w-6xl', cards: 'max-w-[110rem]', list: 'max-w-none' }

/** The room that a page has. */
export function Page({ room = 'text', children }: { room?: keyof typeof rooms; children: ReactNode }) {
  return <div className={classes('mx-auto w-full px-4 py-6 sm:px-8', rooms[room])}>{children}</div>
}

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info'
const tones: Record<Tone, string> = {
  plain: 'bg-sunken text-ink-soft',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
}

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-[0.8rem] font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

/** A person's initials, where a picture would stand. */
export function Avatar({ name, small }: { name: string; small?: boolean }) {
  const words = name.split(/\s+/).filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0] ?? '').join('')
  return (
    <span
      aria-hidden
      title={name}
      className={classes(
        'inline-flex shrink-0 items-center justify-center rounded-full bg-action-soft font-semibold text-action uppercase',
        small ? 'size-6 text-[0.65rem]' : 'size-9 text-[0.8rem]',
      )}
    >
      {initials}
    </span>
  )
}
