import encodeQR from 'qr'

/** A text for a camera. Dark on white in every theme: not every reader knows the reverse. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  // The lowest correction: what is read from a screen is neither dirty nor torn. Four squares of margin, as readers ask for.
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: 4 })
  const side = rows.length
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      className="size-52 rounded-lg"
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
