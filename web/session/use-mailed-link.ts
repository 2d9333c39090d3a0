import { useQuery } from '@tanstack/react-query'
import { ApiError, api } from '../api/client.ts'

/** What a link lets do; null where it does not work any more. */
export function useMailedLink<T>(path: string, token: string) {
  return useQuery({
    queryKey: [path, token],
    retry: false,
    queryFn: () =>
      api.post<T>(path, { token }, { quiet: true }).catch((error) => {
        if (error instanceof ApiError && error.status < 500 && error.status >= 400) return null
        throw error
      }),
  })
}
