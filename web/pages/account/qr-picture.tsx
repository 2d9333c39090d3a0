import { qrCode } from './qr-code.ts'

const margin = 4

/** A text for a camera. Dark on white in every theme: not every reader knows the reverse. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = qrCode(text)
  const side = rows.length + 2 * margin
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + margin} ${y + margin}h1v1h-1z` : '')))
    .join('')
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
