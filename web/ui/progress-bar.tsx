import { useId } from 'react'

/** How far something is, from 0 to 1, with what it is. */
export function ProgressBar({ label, share }: { label: string; share: number }) {
  const id = useId()
  const percent = Math.min(100, Math.floor(share * 100))
  return (
    <div>
      <p id={id} className="pb-2 text-ink-soft tabular-nums">
        {label}
      </p>
      <progress aria-labelledby={id} max={100} value={percent} className="sr-only" />
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-line">
        <div className="h-full rounded-full bg-action transition-[width]" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
