import type { ReactNode } from 'react'
import { UnbrokenText } from '../../ui/unbroken-text.tsx'

/** Names and values under each other. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line/70 px-5 pb-3">{children}</dl>
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 py-1.5">
      <dt className="min-w-0 text-ink-soft">{label}</dt>
      <dd className="max-w-2/3 shrink-0 text-right">
        {typeof children === 'string' ? <UnbrokenText>{children}</UnbrokenText> : children}
      </dd>
    </div>
  )
}
