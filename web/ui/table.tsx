import type { ReactNode, TdHTMLAttributes, ThHTMLAttributes } from 'react'
import { classes } from './classes.ts'

/** A table that scrolls sideways by itself where there is no room. */
export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="relative overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse text-left">{children}</table>
    </section>
  )
}

export function Th({ className, ...rest }: ThHTMLAttributes<HTMLTableCellElement>) {
  return (
    <th
      scope="col"
      className={classes(
        'border-b border-line px-4 py-2.5 text-[0.8rem] font-medium whitespace-nowrap text-ink-soft',
        className,
      )}
      {...rest}
    />
  )
}

export function Td({ className, ...rest }: TdHTMLAttributes<HTMLTableCellElement>) {
  return <td className={classes('border-b border-line/70 px-4 py-2.5 align-middle', className)} {...rest} />
}
