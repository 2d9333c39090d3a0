import { formatNumber } from '../../../ui/format.ts'
import { Badge } from '../../../ui/surface.tsx'
import { type RequestResponse, statusTone } from './use-requests.ts'

/** The status of a call, and of how many calls where one line stands for several. */
export function StatusBadge({ request: { status, times } }: { request: RequestResponse }) {
  return (
    <Badge tone={statusTone(status)}>
      {status}
      {times !== undefined && <span className="whitespace-nowrap"> × {formatNumber(times)}</span>}
    </Badge>
  )
}
