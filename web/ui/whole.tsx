import type { ReactNode } from 'react'

const email = /([^\s<>@]+@[^\s<>@]+\.[^\s<>@,;)]+)/
const money = /(-?(?:[A-Z]{0,3}[$€£]|[A-Z]{3}\u00a0)-?\d[\d,]*(?:\.\d+)?)/
const either = new RegExp(`${email.source}|${money.source}`)

/** Broken inside only where it alone is wider than the line. */
const piece = 'inline-block max-w-full wrap-anywhere'

/** A text in which amounts stay in one line, and email addresses break only at their @ and dots. */
export function Whole({ children }: { children: string }) {
  return children
    .split(either)
    .filter((part) => part !== undefined && part !== '')
    .map((part, at): ReactNode => {
      const key = `${at} ${part}`
      if (email.test(part)) return <WholeEmail key={key}>{part}</WholeEmail>
      return money.test(part) ? (
        <span key={key} className="whitespace-nowrap">
          {part}
        </span>
      ) : (
        part
      )
    })
}

function WholeEmail({ children }: { children: string }) {
  const pieces = children.split(/(?=[@.])/)
  return (
    <span>
      {pieces.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
        <span key={at} className={piece}>
          {text}
        </span>
      ))}
    </span>
  )
}

/** An address that breaks between its lines before it breaks within one. */
export function WholeAddress({ lines }: { lines: readonly (string | null | undefined)[] }) {
  const given = lines.filter(Boolean)
  return (
    <span>
      {given.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike
        <span key={at}>
          <span className={piece}>{at < given.length - 1 ? `${line},` : line}</span>{' '}
        </span>
      ))}
    </span>
  )
}
