import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactNode
  align?: 'start' | 'end'
  /** For a menu that is made when it is asked for: many of them, such as one for each card, cost too much. */
  defaultOpen?: boolean
  children: ReactNode
}

export function Menu({ trigger, align = 'end', defaultOpen, children }: MenuProps) {
  return (
    // Not modal: what is around it stays there for those who listen to the page.
    <Radix.Root modal={false} defaultOpen={defaultOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-[min(70dvh,var(--radix-dropdown-menu-content-available-height))] max-w-[var(--radix-dropdown-menu-content-available-width)] min-w-52 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-high"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  onSelect?: () => void
  disabled?: boolean
  danger?: boolean
  /** Marks the one that holds now. */
  current?: boolean
  /** For what is itself a link. */
  asChild?: boolean
  children: ReactNode
}

export function MenuItem({ onSelect, disabled, danger, current, asChild, children }: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      disabled={disabled}
      asChild={asChild}
      aria-current={current || undefined}
      className={classes(
        'flex min-h-9 cursor-pointer items-center gap-2 rounded-lg px-3 outline-none data-disabled:opacity-50 data-highlighted:bg-sunken',
        danger && 'text-bad',
        current && 'font-semibold',
      )}
    >
      {children}
    </Radix.Item>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <Radix.Label className="px-3 pt-2 pb-1 text-[0.8rem] font-medium text-ink-soft">{children}</Radix.Label>
  )
}

export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />
}
