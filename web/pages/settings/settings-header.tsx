import type { ReactNode } from 'react'

interface SettingsHeaderProps {
  title: string
  /** Under the title, in soft ink. */
  note?: ReactNode
  actions?: ReactNode
}

/** The head of one section: the page's own title stands above them all. */
export function SettingsHeader({ title, note, actions }: SettingsHeaderProps) {
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-3 pb-4">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-lg font-semibold">{title}</h2>
        {note && <div className="pt-0.5 text-ink-soft">{note}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}
