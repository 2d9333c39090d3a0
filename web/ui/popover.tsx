import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactNode
  label: string
  side?: 'right' | 'bottom'
  children: ReactNode
}

/** A small panel beside its button. */
export function Popover({ trigger, label, side = 'bottom', children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side={side}
          align="end"
          sideOffset={10}
          collisionPadding={8}
          className="z-50 flex max-h-[min(75dvh,var(--radix-popover-content-available-height))] w-[min(24rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-xl border border-line bg-raised shadow-high"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** For what leads away from where it is. */
export const PopoverClose = Radix.Close
