interface SparkProps {
  /** Null where nothing is known. */
  values: readonly (number | null)[]
  /** The same in words. */
  label: string
}

const height = 28
const step = 4
const bar = 3

/** A few weeks in the room of a word: bars, and marks where nothing is known. */
export function Spark({ values, label }: SparkProps) {
  const max = values.reduce<number>((top, value) => Math.max(top, value ?? 0), 0)
  let bars = ''
  let missing = ''
  for (const [i, value] of values.entries()) {
    const x = i * step
    if (value === null) missing += `M${x} ${height - 1}h${bar}`
    else {
      const tall = Math.max(1, max === 0 ? 0 : (value / max) * height)
      bars += `M${x} ${height}v${-tall.toFixed(1)}h${bar}v${tall.toFixed(1)}z`
    }
  }
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${values.length * step} ${height}`}
      className="h-7 w-32 shrink-0"
    >
      <path d={bars} className="fill-action" />
      <path d={missing} className="stroke-warn" strokeWidth="2" strokeDasharray="1 1" />
    </svg>
  )
}
