import type { ReactNode } from 'react'
import { common } from '../texts/en/common.ts'
import { Mark } from './mark.tsx'

/** The room before the house: signing in, and what belongs to it. */
export function Entrance({
  title,
  note,
  children,
}: {
  title: string
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <main className="flex min-h-dvh items-center justify-center bg-brand px-4 py-10">
      <div className="w-full max-w-md">
        <p className="flex items-center justify-center gap-2.5 pb-6 text-xl font-semibold text-brand-ink">
          <Mark />
          {common.product}
        </p>
        <div className="rounded-2xl bg-raised p-7 shadow-high">
          <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
          {note && <div className="pt-1 text-ink-soft">{note}</div>}
          <div className="pt-5">{children}</div>
        </div>
      </div>
    </main>
  )
}
