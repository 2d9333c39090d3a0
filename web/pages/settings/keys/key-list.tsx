import { Link } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { useSession } from '../../../session/session.tsx'
import { keys as texts } from '../../../texts/en/keys.ts'
import { classes } from '../../../ui/classes.ts'
import { formatAgo, formatTime } from '../../../ui/format.ts'
import { Badge } from '../../../ui/surface.tsx'
import { hasStretchedLink, stretchedLink, Table, Td, Th } from '../../../ui/table.tsx'
import { accessOf, interfacesOf, type KeyResponse, stateTones } from './use-keys.ts'

/** The list where there is room for a table. */
export function KeyTable({ keys }: { keys: KeyResponse[] }) {
  return (
    <Table label={texts.list}>
      <thead>
        <tr>
          <Th>{texts.columns.name}</Th>
          <Th>{texts.columns.access}</Th>
          <Th>{texts.columns.used}</Th>
          <Th>{texts.columns.expires}</Th>
          <Th>{texts.columns.state}</Th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} className={hasStretchedLink}>
            <Td className="max-w-64">
              <Link
                to="/settings/keys/$id"
                params={{ id: key.id }}
                className={classes(stretchedLink, 'block truncate font-medium hover:underline')}
              >
                {key.name}
              </Link>
              <AgentName name={key.agentName} />
              <span className="block truncate text-[0.87rem] text-ink-soft">
                <code>{key.prefix}…</code> <CompanyName id={key.companyId} />
              </span>
            </Td>
            <Td>
              {accessOf(key)}
              <span className="block text-[0.87rem] text-ink-soft">{interfacesOf(key)}</span>
            </Td>
            <Td className="whitespace-nowrap text-ink-soft">
              <Moment at={key.lastUsedAt} />
            </Td>
            <Td className="whitespace-nowrap text-ink-soft">
              <Moment at={key.expiresAt} />
            </Td>
            <Td>
              <StateBadge state={key.state} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The list on a phone. */
export function KeyCards({ keys }: { keys: KeyResponse[] }) {
  return (
    <ul aria-label={texts.list} className="divide-y divide-line/70">
      {keys.map((key) => (
        <li key={key.id}>
          <Link to="/settings/keys/$id" params={{ id: key.id }} className="block px-4 py-3">
            <span className="flex items-center justify-between gap-3">
              <span className="truncate font-medium">{key.name}</span>
              <StateBadge state={key.state} />
            </span>
            <AgentName name={key.agentName} />
            <span className="block truncate text-[0.87rem] text-ink-soft">
              <code>{key.prefix}…</code> <CompanyName id={key.companyId} />
            </span>
            <span className="block pt-1 text-[0.87rem] text-ink-soft">
              {accessOf(key)} · {interfacesOf(key)} ·{' '}
              {key.lastUsedAt ? (
                <>
                  {texts.lastUsed} <Moment at={key.lastUsedAt} />
                </>
              ) : (
                texts.neverUsed
              )}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function StateBadge({ state }: Pick<KeyResponse, 'state'>) {
  return <Badge tone={stateTones[state]}>{texts.states[state]}</Badge>
}

export function Moment({ at }: { at: string | null }) {
  if (!at) return texts.never
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  )
}

/** Whom it was made for, where that is no program of the company's own. */
function AgentName({ name }: { name: string | null }) {
  if (name === null) return null
  return (
    <span className="flex items-center gap-1.5 truncate text-[0.87rem]">
      <Bot className="size-4 shrink-0 text-ink-soft" aria-hidden />
      <span className="sr-only">{texts.agent}: </span>
      <span className="truncate">{name}</span>
    </span>
  )
}

/** Only where there are several. */
function CompanyName({ id }: { id: string }) {
  const { companies } = useSession()
  if (companies.length < 2) return null
  return companies.find((company) => company.id === id)?.name
}
