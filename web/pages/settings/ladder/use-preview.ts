import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import type { StageMessage } from './use-ladders.ts'

interface Asked {
  stage: string
  message: StageMessage
}

const pauseMs = 250

/** A message as the server would send it, asked for once the typing pauses. */
export function usePreview(stage: string, message: StageMessage) {
  const wanted = JSON.stringify({ stage, message } satisfies Asked)
  const [text, setText] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(setText, pauseMs, wanted)
    return () => clearTimeout(timer)
  }, [wanted])
  const asked = JSON.parse(text) as Asked
  const { subject, body } = asked.message
  return useQuery({
    queryKey: ['ladder-preview', asked],
    queryFn: ({ signal }) => api.post<StageMessage>('/stages/preview', asked, { signal }),
    enabled: [asked.stage, subject, body].every((part) => part.trim() !== ''),
    placeholderData: keepPreviousData,
    retry: false,
  })
}
