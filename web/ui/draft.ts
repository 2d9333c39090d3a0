import { useState } from 'react'

/** What somebody is writing, kept in this tab until it is saved or thrown away. */
export function useDraft<T>(key: string, saved: T) {
  const [draft, setDraft] = useState<T | null>(() => kept<T>(key))
  return {
    value: draft ?? saved,
    /** Whether something stands here that is not saved. */
    begun: draft !== null,
    write(value: T) {
      sessionStorage.setItem(key, JSON.stringify(value))
      setDraft(value)
    },
    discard() {
      sessionStorage.removeItem(key)
      setDraft(null)
    },
  }
}

function kept<T>(key: string): T | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}
