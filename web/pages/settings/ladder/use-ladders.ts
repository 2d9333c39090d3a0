import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type {
  LaddersResponse,
  StageMessage,
  StageSettingResponse,
} from '../../../../src/api/console/ladders.ts'
import { api, type SubmissionKey } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'

export type { StageMessage, StageSettingResponse }
export type Line = StageSettingResponse['productLine']

const laddersKey = ['ladders']
const whileMovingMs = 1_000

export const laddersQuery = queryOptions({
  queryKey: laddersKey,
  queryFn: ({ signal }) => api.get<LaddersResponse>('/ladders', { signal }),
  // Projects that are on their way out of a stage are followed until the last has gone.
  refetchInterval: ({ state: { data } }) =>
    data?.stages.some(({ leavingTo }) => leavingTo) ? whileMovingMs : false,
})

/** The stages of a ladder that projects may enter. */
export const inUse = ({ stages }: LaddersResponse, line: Line) =>
  stages.filter(({ productLine, leavingTo }) => productLine === line && !leavingTo)

/**
 * A change of the ladders. Stages show nearly everywhere, so everything is asked for again; what leads away from a page
 * that has then lost its stage is done before.
 */
export function useLadderChange<R>(
  change: (submission: SubmissionKey) => Promise<R>,
  beforeRefetch?: () => unknown,
) {
  const client = useQueryClient()
  return useSubmit({
    mutationFn: (_, submission) => change(submission),
    onSuccess: () => beforeRefetch?.(),
    onSettled: () => client.invalidateQueries(),
  })
}
