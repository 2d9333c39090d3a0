import { stripVTControlCharacters, styleText } from 'node:util'

const colours = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'blue',
  trace: 'gray',
} as const

interface Line {
  level: keyof typeof colours
  time: string
  msg?: string
  [field: string]: unknown
}

/** A line of the log for whoever watches a terminal: the time, how grave it is, the text, and the rest as name=value. */
export function readableLine(json: string): string {
  let line: Line
  try {
    line = JSON.parse(json)
  } catch {
    return json
  }
  const { level, time, msg, method, route, status, ms, err, ...rest } = line
  const call = method === undefined ? [] : [`${method} ${route} ${status} ${ms} ms`]
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => styleText('dim', `${name}=${shown(value)}`))
  const stack = (err as { stack?: string } | undefined)?.stack
  const text = [
    styleText('dim', new Date(time).toLocaleTimeString('en-GB')),
    styleText(colours[level] ?? 'white', level.padEnd(5)),
    ...call.map(plain),
    ...(msg === undefined ? [] : [plain(msg)]),
    ...fields,
  ].join(' ')
  return stack ? `${text}\n${stack.split('\n').map(plain).join('\n')}\n` : `${text}\n`
}

/** What callers sent must not move the cursor, colour the screen or begin a line of its own. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?')
}

function shown(value: unknown): string {
  const text = plain(typeof value === 'string' ? value : JSON.stringify(value))
  return /[\s"=]/.test(text) && typeof value === 'string' ? JSON.stringify(text) : text
}
