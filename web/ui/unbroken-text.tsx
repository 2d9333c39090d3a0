import type { ReactNode } from 'react'

/**
 * The one rule by which texts break. The page as a whole breaks a word only where it alone is wider than its line
 * (styles.css). Here is what browsers would break besides, at signs that are part of it: amounts, phone and house
 * numbers stay in one line, email addresses break before their @, and only where that is not enough at their dots.
 */
// Each of a bounded length: a text may be long, and without a space.
const email = /[^\s<>@]{1,64}@[^\s<>@]{1,190}\.[^\s<>@,;)]{1,64}/
const money = /-?(?:[A-Z]{0,3}[$€£]|[A-Z]{3}\u00a0)-?\d[\d,]{0,20}(?:\.\d{1,6})?/
const phone = /\+?\(?\d[\d().\s-]{6,17}\d(?!\w)/
const numbered = /[^\s,;]{0,20}\d[-–/][^\s,;]{1,20}/
// With the sign behind it: a line may end at what is in a box of its own.
const kept = new RegExp(
  `((?:${[email, money, phone, numbered].map(({ source }) => source).join('|')})[,;:)]?)`,
)

/** Broken inside only where it alone is wider than the line. */
const piece = 'inline-block max-w-full wrap-anywhere'

/** A text of which the parts that belong together stay together. */
export function UnbrokenText({ children }: { children: string }) {
  return children
    .split(kept)
    .filter((part) => part !== '')
    .map((part, at): ReactNode => {
      const key = `${at} ${part}`
      if (email.test(part)) return <UnbrokenEmail key={key}>{part}</UnbrokenEmail>
      return kept.test(part) ? (
        <span key={key} className={piece}>
          {part}
        </span>
      ) : (
        part
      )
    })
}

function UnbrokenEmail({ children }: { children: string }) {
  return (
    <span>
      <Pieces of={children} at={/(?=@)/}>
        {(side) => (
          <Pieces of={side} at={/(?=\.)/}>
            {(text) => text}
          </Pieces>
        )}
      </Pieces>
    </span>
  )
}

function Pieces({ of, at, children }: { of: string; at: RegExp; children: (piece: string) => ReactNode }) {
  return of.split(at).map((text, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
    <span key={i} className={piece}>
      {children(text)}
    </span>
  ))
}

/** An address that breaks between its lines before it breaks within one. */
export function UnbrokenAddress({ lines }: { lines: readonly (string | null | undefined)[] }) {
  const given = lines.filter((line): line is string => Boolean(line))
  return (
    <span>
      {given.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike
        <span key={at}>
          <span className={piece}>
            <UnbrokenText>{at < given.length - 1 ? `${line},` : line}</UnbrokenText>
          </span>{' '}
        </span>
      ))}
    </span>
  )
}
