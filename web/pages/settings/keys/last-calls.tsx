import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { keys as texts } from '../../../texts/en/keys.ts'
import { Loaded } from '../../../ui/states.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { RequestList } from './request-list.tsx'
import { requestsQuery } from './use-requests.ts'

const shown = 10

/** The newest calls of one key. */
export function LastCalls({ keyId }: { keyId: string }) {
  const query = useInfiniteQuery(requestsQuery({ key: keyId }))
  return (
    <Card>
      <CardHeader
        title={texts.lastCalls}
        actions={
          <Link to="/settings/requests" search={{ key: keyId }} className="text-action hover:underline">
            {texts.allCalls}
          </Link>
        }
      />
      <Loaded query={query}>
        {({ pages }) => {
          const requests = pages[0]!.requests.slice(0, shown)
          if (requests.length === 0) return <p className="px-5 pb-5 text-ink-soft">{texts.noCalls}</p>
          return <RequestList requests={requests} withKey={false} />
        }}
      </Loaded>
    </Card>
  )
}
