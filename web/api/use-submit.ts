import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ApiError, newKey, type SubmissionKey } from './client.ts'

type Options<Answer, Input> = Omit<UseMutationOptions<Answer, Error, Input>, 'mutationFn'> & {
  /** What it sends is named by the key, so that the server does it once. */
  mutationFn: (input: Input, submission: SubmissionKey) => Promise<Answer>
}

/**
 * What a form or a button sends: once, however quickly it is pressed again, and whatever becomes of the connection. Its
 * key is made when the form opens. It stays until the server has answered: only then is the next press another wish.
 */
export function useSubmit<Answer, Input = void>({
  mutationFn,
  onSettled,
  ...options
}: Options<Answer, Input>) {
  const [form] = useState(() => ({ key: newKey(), sending: false }))
  const mutation = useMutation<Answer, Error, Input>({
    ...options,
    mutationFn: async (input) => {
      try {
        const answer = await mutationFn(input, { key: form.key })
        form.key = newKey()
        return answer
      } catch (error) {
        if (isRefused(error)) form.key = newKey()
        throw error
      }
    },
    onSettled: async (...settled) => {
      try {
        await onSettled?.(...settled)
      } finally {
        form.sending = false
      }
    },
  })
  const { mutate: send } = mutation
  const mutate = useCallback(
    (input: Input, then?: MutateOptions<Answer, Error, Input>) => {
      if (form.sending) return
      form.sending = true
      send(input, then)
    },
    [form, send],
  )
  return { ...mutation, mutate }
}

const isRefused = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500
