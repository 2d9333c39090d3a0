import { useState } from 'react'
import { requests as texts } from '../../../texts/en/requests.ts'
import { formatNumber } from '../../../ui/format.ts'
import { Table, Td, Th } from '../../../ui/table.tsx'
import { useWide } from '../../../ui/use-wide.ts'
import { RequestDialog } from './request-dialog.tsx'
import { StatusBadge } from './status-badge.tsx'
import { formatMoment, type RequestResponse } from './use-requests.ts'

interface RequestListProps {
  requests: RequestResponse[]
  /** Not where all are of one key. */
  withKey?: boolean
}

/** Calls, each with a way to its details. */
export function RequestList({ requests, withKey = true }: RequestListProps) {
  const [opened, setOpened] = useState<RequestResponse | null>(null)
  const List = useWide() ? RequestTable : RequestCards
  return (
    <>
      <List requests={requests} withKey={withKey} onOpen={setOpened} />
      {opened && <RequestDialog request={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

interface ListProps {
  requests: RequestResponse[]
  withKey: boolean
  onOpen: (request: RequestResponse) => void
}

function RequestTable({ requests, withKey, onOpen }: ListProps) {
  return (
    <Table label={texts.list}>
      <thead>
        <tr>
          <Th>{texts.columns.status}</Th>
          <Th>{texts.columns.call}</Th>
          {withKey && <Th>{texts.columns.key}</Th>}
          <Th className="text-right">{texts.columns.duration}</Th>
          <Th className="text-right">{texts.columns.time}</Th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <tr
            key={request.place}
            className="cursor-pointer hover:bg-sunken/60"
            onClick={() => onOpen(request)}
          >
            <Td className="w-0">
              <StatusBadge request={request} />
            </Td>
            <Td className="w-full max-w-0">
              <OpenButton request={request} />
            </Td>
            {withKey && (
              <Td className="max-w-44 text-ink-soft">
                <span className="block truncate">{request.keyName}</span>
                <code className="block text-[0.8rem]">{request.keyPrefix}…</code>
              </Td>
            )}
            <Td className="text-right whitespace-nowrap tabular-nums">
              {texts.ms(formatNumber(request.durationMs))}
            </Td>
            <Td className="text-right whitespace-nowrap text-ink-soft tabular-nums">
              <time dateTime={request.at}>{formatMoment(request.at)}</time>
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** By keyboard the row is opened here; its click goes on to the row, which opens it. */
function OpenButton({ request }: { request: RequestResponse }) {
  const call = `${request.method} ${request.path}`
  return (
    <button type="button" aria-label={texts.open(call)} className="block w-full truncate text-left">
      <span className="font-semibold">{request.method}</span>{' '}
      <code className="text-[0.93em]">{request.path}</code>
    </button>
  )
}

function RequestCards({ requests, withKey, onOpen }: ListProps) {
  return (
    <ul aria-label={texts.list} className="divide-y divide-line/70">
      {requests.map((request) => (
        <li key={request.place}>
          <button
            type="button"
            onClick={() => onOpen(request)}
            className="flex w-full flex-col gap-1 px-4 py-3 text-left"
          >
            <span className="flex w-full items-center gap-2">
              <StatusBadge request={request} />
              <span className="min-w-0 truncate">
                <span className="font-semibold">{request.method}</span>{' '}
                <code className="text-[0.93em]">{request.path}</code>
              </span>
            </span>
            <span className="text-[0.87rem] text-ink-soft">
              {formatMoment(request.at)} · {texts.ms(formatNumber(request.durationMs))}
              {withKey && ` · ${request.keyName}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
