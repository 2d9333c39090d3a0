import { CloudOff } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { isOffline } from '../api/client.ts'
import { onBack, useConnection } from '../api/connection.ts'
import { common } from '../texts/en/common.ts'
import { connection } from '../texts/en/connection.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'

interface EmptyProps {
  icon?: ReactNode
  title: string
  children?: ReactNode
  /** What may be done about it. */
  action?: ReactNode
  /** In place of a whole page, whose heading it then is. */
  page?: boolean
}

export function EmptyState({ icon, title, children, action, page = false }: EmptyProps) {
  const Title = page ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      {icon && <div className="mb-1 text-ink-soft [&>svg]:size-8">{icon}</div>}
      <Title className="font-semibold">{title}</Title>
      {children && <div className="max-w-md text-ink-soft">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}

interface ErrorProps extends Pick<EmptyProps, 'page'> {
  error: unknown
  onRetry?: () => void
}

/** What went wrong, and a way on. What was not loaded for want of a connection comes by itself when that is back. */
export function ErrorState({ error, onRetry, page }: ErrorProps) {
  const retry = useRef(onRetry)
  retry.current = onRetry
  const unasked = isOffline(error)
  const { offline } = useConnection()
  useEffect(() => (unasked ? onBack(() => retry.current?.()) : undefined), [unasked])
  if (unasked)
    return (
      <div role="alert">
        <EmptyState
          icon={<CloudOff aria-hidden />}
          title={offline ? connection.offline : connection.away}
          page={page}
        >
          {offline ? connection.notLoaded : connection.notLoadedAway}
        </EmptyState>
      </div>
    )
  return (
    <div role="alert">
      <EmptyState
        icon={<CloudOff aria-hidden />}
        title={common.failed}
        page={page}
        action={onRetry && <Button onClick={onRetry}>{common.tryAgain}</Button>}
      >
        {error instanceof Error ? error.message : String(error)}
      </EmptyState>
    </div>
  )
}

/** Where something will be, once it has come. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes('animate-pulse rounded-lg bg-line/60', className)} />
}

export function LoadingRows({ rows = 6 }: { rows?: number }) {
  return (
    <div role="status" aria-label={common.loading} className="flex flex-col gap-3 p-4">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={row} className="h-9" />
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; isPending: boolean; refetch: () => unknown }
  loading?: ReactNode
  children: (data: T) => ReactNode
}

/** What was asked for, or that it is coming, or why it is not. */
export function Loaded<T>({ query, loading, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <ErrorState error={query.error} onRetry={() => query.refetch()} />
  return loading ?? <LoadingRows />
}
