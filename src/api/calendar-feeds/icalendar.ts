import type { CalendarEntry, CalendarKind } from '../../domain/deals/calendar/calendar.ts'
import type { Feed } from '../../domain/deals/calendar/read-feed.ts'

const kinds: Record<CalendarKind, string> = { install: 'Install', survey: 'Site survey' }

/** A calendar in the words of RFC 5545, to be subscribed: whole days, the same identities at each reading. */
export function icalendarOf({ name, entries }: Feed, baseUrl: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sunstead//Calendar//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...entries.flatMap((entry) => eventOf(entry, baseUrl)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventOf(entry: CalendarEntry, baseUrl: string): string[] {
  const { projectId, kind, day, customer, line1, city, state, postalCode, stage, people, updatedAt } = entry
  const place = [line1, city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  const changed = `${updatedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const about = [
    `Stage: ${stage}`,
    ...people.map((person) => person.name),
    `${baseUrl}/projects/${projectId}`,
  ]
  return [
    'BEGIN:VEVENT',
    `UID:${kind}-${projectId}@${new URL(baseUrl).hostname}`,
    // Without a METHOD it stands for when the entry last changed.
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `DTSTART;VALUE=DATE:${plain(day)}`,
    `DTEND;VALUE=DATE:${plain(Temporal.PlainDate.from(day).add({ days: 1 }).toString())}`,
    `SUMMARY:${escaped(`${kinds[kind]}: ${customer}`)}`,
    ...(place ? [`LOCATION:${escaped(place)}`] : []),
    `DESCRIPTION:${escaped(about.join('\n'))}`,
    `URL:${baseUrl}/projects/${projectId}`,
    // Nobody is busy all day because of it.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

const plain = (day: string) => day.replaceAll('-', '')

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (char) => `\\${char}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
}

const maxOctets = 75

/** Lines of at most 75 octets, going on after a space; no character is cut in two. */
function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const char of line) {
    const size = Buffer.byteLength(char)
    if (octets + size > maxOctets) {
      text += '\r\n '
      octets = 1
    }
    text += char
    octets += size
  }
  return text
}
