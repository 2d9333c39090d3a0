import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../format.ts'
import { barsPath, beforePath, type Frame, partsPath } from './paths.ts'
import { type ChartPoint, evenly, gapsOf, marksUpTo } from './scale.ts'
import { useWidth } from './use-width.ts'

interface ChartProps {
  label: string
  points: readonly ChartPoint[]
  /** What a point says, in words. */
  describe: (point: ChartPoint) => string
  /** What stands below it on the axis. */
  tick: (point: ChartPoint) => string
  unit: string
  /** Two points, as they were dragged over. */
  onZoom?: ((from: ChartPoint, to: ChartPoint) => void) | undefined
  /** One point was clicked, or chosen by Enter. */
  onOpen?: ((point: ChartPoint) => void) | undefined
}

const height = 220
const left = 48
const above = 10
const below = 24
const perTick = 90
const dragged = 8

/** Bars over time. What is under the pointer, or where the arrow keys lead, is said above them. */
export function Chart({ label, points, describe, tick, unit, onZoom, onOpen }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = Math.max(0, useWidth(box) - left)
  const hatch = useId()
  // Apart, so that a pointer that goes away, or a page that moves below it, takes nothing from the keyboard.
  const [hovered, setHovered] = useState<number | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const [from, setFrom] = useState<{ x: number; index: number } | null>(null)
  const marks = useMemo(
    () => marksUpTo(points.reduce((most, { value, before }) => Math.max(most, value ?? 0, before ?? 0), 0)),
    [points],
  )
  const drawn = useMemo(() => draw(points, { width, height, top: marks.at(-1)! }), [points, width, marks])
  const ticks = useMemo(() => ticksOf(points, tick, width), [points, tick, width])
  const room = width / Math.max(1, points.length)
  const last = points.length - 1
  const at = hovered ?? chosen
  const current = at === null ? null : Math.min(at, last)
  const point = current === null ? undefined : points[current]

  const indexOf = (event: PointerEvent) => {
    const x = event.clientX - box.current!.getBoundingClientRect().left - left
    return Math.min(last, Math.max(0, Math.floor(x / room)))
  }

  function press(event: KeyboardEvent) {
    const now = current ?? last
    const page = Math.max(1, Math.round(points.length / 10))
    const steps: Record<string, number> = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: current === null ? last : now + 1,
      ArrowUp: now + 1,
      PageDown: now - page,
      PageUp: now + page,
      Home: 0,
      End: last,
    }
    const next = steps[event.key]
    if (event.key === 'Enter' && point) onOpen?.(point)
    if (next === undefined) return
    event.preventDefault()
    setHovered(null)
    setChosen(Math.min(last, Math.max(0, next)))
  }

  function release(event: PointerEvent) {
    if (!from) return
    setFrom(null)
    const index = indexOf(event)
    const [first, second] = [points[Math.min(from.index, index)]!, points[Math.max(from.index, index)]!]
    if (Math.abs(event.clientX - from.x) >= dragged && first !== second) onZoom?.(first, second)
    else if (Math.abs(event.clientX - from.x) < dragged) onOpen?.(points[index]!)
  }

  return (
    <div ref={box} className="relative">
      <p aria-hidden className="min-h-6 pb-1 text-[0.87rem] text-ink-soft">
        {point ? describe(point) : ''}
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={current ?? Math.max(0, last)}
        aria-valuetext={points.length > 0 ? describe(points[current ?? last]!) : label}
        className="touch-pan-y rounded-lg"
        onKeyDown={press}
        onPointerMove={(event) => setHovered(indexOf(event))}
        onPointerLeave={() => {
          setHovered(null)
          setFrom(null)
        }}
        onPointerDown={(event) => setFrom({ x: event.clientX, index: indexOf(event) })}
        onPointerUp={release}
      >
        <svg aria-hidden width="100%" height={above + height + below} className="block select-none">
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" className="fill-warn-soft" />
            <path d="M0 0V6" className="stroke-warn" strokeWidth="1.5" opacity="0.5" />
          </pattern>
          <g transform={`translate(${left} ${above})`}>
            {drawn.gaps.map(([first, behind]) => (
              <rect
                key={first}
                x={first * room}
                width={Math.max(1, (behind - first) * room)}
                height={height}
                fill={`url(#${hatch})`}
              />
            ))}
            {marks.map((mark) => (
              <Mark key={mark} mark={mark} y={height - (mark / marks.at(-1)!) * height} width={width} />
            ))}
            {current !== null && (
              <rect
                x={Math.min(current, from?.index ?? current) * room}
                width={Math.max(1, (Math.abs(current - (from?.index ?? current)) + 1) * room)}
                height={height}
                className="fill-ink"
                opacity="0.1"
              />
            )}
            <path d={drawn.bars} className="fill-action" />
            <path d={drawn.parts} className="fill-none stroke-warn" strokeWidth="3" />
            <path d={drawn.before} className="fill-none stroke-sun" strokeWidth="2" />
            {ticks.map(([i, text]) => (
              <text key={i} x={i * room} y={height + below - 7} className="fill-ink-soft text-[0.75rem]">
                {text}
              </text>
            ))}
          </g>
          <text x="0" y={above + height + below - 7} className="fill-ink-soft text-[0.75rem]">
            {unit}
          </text>
        </svg>
      </div>
    </div>
  )
}

/** What stands below the chart: where a text begins, as many as have room. */
function ticksOf(
  points: readonly ChartPoint[],
  tick: ChartProps['tick'],
  width: number,
): [index: number, text: string][] {
  const texts = points.map(tick)
  const begins = texts.flatMap((text, i) => (text === texts[i - 1] ? [] : [i]))
  const room = width / Math.max(1, points.length)
  return evenly(begins.length, Math.max(2, Math.floor(width / perTick)))
    .map((n) => begins[n]!)
    .filter((i) => i * room < width - perTick / 2)
    .map((i) => [i, texts[i]!])
}

function Mark({ mark, y, width }: { mark: number; y: number; width: number }) {
  return (
    <g>
      <path d={`M0 ${y}H${width}`} className="stroke-line" />
      <text x="-8" y={y + 4} textAnchor="end" className="fill-ink-soft text-[0.75rem]">
        {formatNumber(mark)}
      </text>
    </g>
  )
}

const draw = (points: readonly ChartPoint[], frame: Frame) => ({
  bars: barsPath(points, frame),
  before: beforePath(points, frame),
  parts: partsPath(points, frame),
  gaps: gapsOf(points),
})
