import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ReactNode, TdHTMLAttributes, ThHTMLAttributes } from 'react'
import { classes } from './classes.ts'

interface TableProps {
  label: string
  /** Its columns are somebody's own, however many: scrolling is how it is read. */
  anyColumns?: boolean
  children: ReactNode
}

/** A table that scrolls sideways by itself where there is no room. */
export function Table({ label, anyColumns, children }: TableProps) {
  return (
    <section
      className="relative overflow-x-auto"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      data-any-columns={anyColumns || undefined}
    >
      <table className="w-full border-collapse text-left">{children}</table>
    </section>
  )
}

/** A row or a card that opens as a whole: what it opens by is marked `stretchedLink`, other controls are `aboveStretchedLink`. */
export const hasStretchedLink = 'relative hover:bg-sunken/60'
export const stretchedLink = 'after:absolute after:inset-0 after:content-[""]'
export const aboveStretchedLink = 'relative z-1'

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

export interface SortProps {
  /** By what the list goes, as the address says it: `due`, or `due-reversed`. */
  sort: string
  onSort: (sort: string) => void
}

interface SortedThProps extends SortProps {
  label: string
  by: string
  /** How it goes when it is first chosen. */
  first: 'ascending' | 'descending'
  right?: boolean
}

const opposite = { ascending: 'descending', descending: 'ascending' } as const

/** A header by which the list is sorted; pressed again, the other way round. */
export function SortedTh({ label, by, first, sort, onSort, right }: SortedThProps) {
  const reversed = sort === `${by}-reversed`
  const way = reversed ? opposite[first] : sort === by ? first : null
  const Arrow = way === null ? ArrowUpDown : way === 'ascending' ? ArrowUp : ArrowDown
  return (
    <Th aria-sort={way ?? 'none'} className={right ? 'text-right' : ''}>
      <button
        type="button"
        onClick={() => onSort(sort === by ? `${by}-reversed` : by)}
        className={classes(
          'inline-flex min-h-6 items-center gap-1 rounded px-1.5 hover:bg-sunken hover:text-ink',
          right ? '-mr-1.5' : '-ml-1.5',
          way && 'text-ink',
        )}
      >
        {label}
        <Arrow className={classes('size-3.5', !way && 'opacity-50')} aria-hidden />
      </button>
    </Th>
  )
}

export function Td({ className, ...rest }: TdHTMLAttributes<HTMLTableCellElement>) {
  return <td className={classes('border-b border-line/70 px-4 py-2.5 align-middle', className)} {...rest} />
}
