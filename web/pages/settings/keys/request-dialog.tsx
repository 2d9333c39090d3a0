import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { common } from '../../../texts/en/common.ts'
import { requests as texts } from '../../../texts/en/requests.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { StatusBadge } from './status-badge.tsx'
import { formatMoment, type RequestResponse } from './use-requests.ts'

interface RequestDialogProps {
  request: RequestResponse
  onClose: () => void
}

/** Everything that is kept of one call. */
export function RequestDialog({ request, onClose }: RequestDialogProps) {
  const { method, path, route, durationMs, bytes, at, requestId, keyId, keyName, keyPrefix } = request
  return (
    <Dialog open onClose={onClose} title={texts.details}>
      <dl className="flex flex-col gap-3">
        <Fact name={texts.columns.status}>
          <StatusBadge request={request} />
          {request.times !== undefined && (
            <span className="mt-1 block text-ink-soft">{texts.overLimit(formatNumber(request.times))}</span>
          )}
        </Fact>
        <Fact name={texts.address}>
          <span className="font-semibold">{method}</span> <code>{path}</code>
        </Fact>
        <Fact name={texts.described}>{route === 'none' ? texts.noRoute : <code>{route}</code>}</Fact>
        <Fact name={texts.at}>
          <time dateTime={at}>{formatMoment(at)}</time>
        </Fact>
        <Fact name={texts.took}>{texts.ms(formatNumber(durationMs))}</Fact>
        <Fact name={texts.size}>{bytes === null ? common.unknown : texts.bytes(formatNumber(bytes))}</Fact>
        <Fact name={texts.key}>
          <Link to="/settings/keys/$id" params={{ id: keyId }} className="text-action underline">
            {keyName}
          </Link>{' '}
          <code className="text-ink-soft">{keyPrefix}…</code>
        </Fact>
        <Fact name={texts.requestId}>
          <code className="mb-2 block text-[0.93em] select-all">{requestId}</code>
          <CopyButton text={requestId} label={texts.copyId} done={texts.copied} />
        </Fact>
      </dl>
    </Dialog>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 sm:grid-cols-[9rem_1fr]">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
