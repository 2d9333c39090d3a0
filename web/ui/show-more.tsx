import { useEffect, useRef } from 'react'
import { common } from '../texts/en/common.ts'
import { Button } from './button.tsx'
import { nearObserver } from './near-observer.ts'

interface ShowMoreProps {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  /** What comes next, where it has a name of its own. */
  label?: string
  /** Only when it is asked for, as looking takes long. */
  byHand?: boolean
  /** What is said before it is asked for. */
  note?: string | undefined
}

/** How near the end may come before more is fetched. */
const nearPx = 600

/** The way to a list's next page, where it has one: taken by itself when the end comes near. */
export function ShowMore({ query, label = common.showMore, byHand = false, note }: ShowMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  const more = useRef(query.fetchNextPage)
  more.current = query.fetchNextPage
  // What failed is not tried over and over.
  const waits = query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError && !byHand
  useEffect(() => {
    if (!waits || !end.current) return
    const observer = nearObserver(() => more.current(), nearPx)
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [waits])
  if (!query.hasNextPage) return null
  const { isFetchingNextPage: busy } = query
  const failed = query.isFetchNextPageError && !busy
  const said = failed ? common.moreFailed : note && busy ? common.looking : note
  return (
    <div ref={end} className="flex flex-col items-center gap-2 p-4">
      {said && (
        <p role={failed ? 'alert' : 'status'} className="text-[0.87rem] text-ink-soft">
          {said}
        </p>
      )}
      <Button busy={busy} keepsFocus onClick={() => busy || query.fetchNextPage()}>
        {failed ? common.tryAgain : label}
      </Button>
    </div>
  )
}
