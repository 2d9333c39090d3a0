import { useEffect, useState } from 'react'
import { ApiError } from '../api/client.ts'

/** Counts down the seconds that the server asks somebody to wait who has tried too often; zero where it does not. */
export function useWait(): { seconds: number; startFrom: (error: unknown) => boolean } {
  const [until, setUntil] = useState(0)
  const [seconds, setSeconds] = useState(0)

  useEffect(() => {
    if (until === 0) return
    const count = () => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000))
      setSeconds(left)
      if (left === 0) setUntil(0)
    }
    count()
    const timer = setInterval(count, 250)
    return () => clearInterval(timer)
  }, [until])

  /** Whether it was an answer that asks to wait. */
  function startFrom(error: unknown): boolean {
    if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfterSeconds === null) return false
    setUntil(Date.now() + error.retryAfterSeconds * 1000)
    setSeconds(error.retryAfterSeconds)
    return true
  }

  return { seconds, startFrom }
}
