import { common } from '../../texts/en/common.ts'
import { Skeleton } from '../../ui/states.tsx'

/** The page in outline, so that nothing jumps when it comes. */
export function ProjectLoading() {
  return (
    <div role="status" aria-label={common.loading} className="grid gap-5">
      <Skeleton className="h-16 max-w-md" />
      <Skeleton className="h-24" />
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <Skeleton className="h-96" />
        <Skeleton className="h-72" />
      </div>
    </div>
  )
}
