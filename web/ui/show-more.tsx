import { common } from '../texts/en/common.ts'
import { Button } from './button.tsx'

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  /** What comes next, where it has a name of its own. */
  label?: string
}

/** The way to a list's next page, where it has one. */
export function ShowMore({ query, label = common.showMore }: ShowMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <div className="flex justify-center p-4">
      <Button busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        {label}
      </Button>
    </div>
  )
}
