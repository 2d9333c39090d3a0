import { createLink } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ComponentProps } from 'react'

/** The way back from a record to the list that it stands in. */
export const BackLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className="mb-1 inline-flex min-h-8 items-center gap-1.5 text-ink-soft hover:text-ink">
    <ArrowLeft className="size-4" aria-hidden />
    {children}
  </a>
))
