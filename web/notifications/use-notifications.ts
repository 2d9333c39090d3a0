import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NotificationsResponse } from '../../src/api/console/home.ts'
import { api, query } from '../api/client.ts'
import { shownAtOnce } from '../live/shown-at-once.ts'
import { useToasts } from '../ui/toast.tsx'

const key = ['notifications']
const refreshMs = 60_000

type Pages = InfiniteData<NotificationsResponse, string | null>

/** What the person was told, newest first. */
export function useNotifications() {
  return useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.get<NotificationsResponse>(`/notifications${query({ after: pageParam })}`, { signal }),
    getNextPageParam: ({ next }) => next,
    // Where the connection that tells of changes is lost.
    refetchInterval: refreshMs,
  })
}

export function useUnread(): number {
  return useNotifications().data?.pages[0]?.unread ?? 0
}

/** Marks some as read, or all of them: at once here, then on the server. */
export function useMarkRead() {
  const client = useQueryClient()
  const { complain } = useToasts()
  return useMutation({
    meta: shownAtOnce,
    mutationFn: (ids: string[] | 'all') =>
      api.post('/notifications/read', ids === 'all' ? { all: true } : { ids }),
    onMutate: async (ids) => {
      const cancelled = client.cancelQueries({ queryKey: key })
      client.setQueryData<Pages>(key, (shown) => shown && { ...shown, pages: shown.pages.map(marked(ids)) })
      await cancelled
    },
    onError: complain,
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  }).mutate
}

const marked = (ids: string[] | 'all') => (page: NotificationsResponse) => {
  const isMarked = (id: string) => ids === 'all' || ids.includes(id)
  const newly = page.notifications.filter(({ id, read }) => !read && isMarked(id)).length
  return {
    ...page,
    unread: ids === 'all' ? 0 : Math.max(0, page.unread - newly),
    notifications: page.notifications.map((one) => (isMarked(one.id) ? { ...one, read: true } : one)),
  }
}
