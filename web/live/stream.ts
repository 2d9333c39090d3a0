import type { LiveChange } from '../../src/api/console/live.ts'
import { onBack } from '../api/connection.ts'

interface StreamEvents {
  onChanges: (changes: LiveChange[]) => void
  /** Whether it is there; `again` where it was lost before, so that things may have been missed. */
  onState: (state: 'open' | 'again' | 'lost') => void
}

const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000]
/** Windows that nobody looks at give their connection up: a browser has only a few for one server. */
const hiddenMs = 30_000

/** Follows what others change for as long as somebody looks at the page. Answers how to stop. */
export function followChanges({ onChanges, onState }: StreamEvents): () => void {
  let source: EventSource | null = null
  let timer: number | undefined
  let failures = 0
  let missed = false

  function open() {
    close()
    source = new EventSource('/console/api/live')
    source.onopen = () => {
      failures = 0
      onState(missed ? 'again' : 'open')
      missed = false
    }
    source.onmessage = ({ data }) => onChanges(JSON.parse(data))
    source.onerror = () => {
      close()
      missed = true
      onState('lost')
      timer = window.setTimeout(open, waitsMs[Math.min(failures++, waitsMs.length - 1)])
    }
  }

  function close() {
    window.clearTimeout(timer)
    source?.close()
    source = null
  }

  function onVisibility() {
    if (document.visibilityState === 'visible') {
      if (source) window.clearTimeout(timer)
      else open()
    } else if (source) {
      timer = window.setTimeout(() => {
        close()
        missed = true
      }, hiddenMs)
    } else close()
  }

  const forgetBack = onBack(() => {
    if (!source && document.visibilityState === 'visible') open()
  })
  document.addEventListener('visibilitychange', onVisibility)
  if (document.visibilityState === 'visible') open()
  return () => {
    forgetBack()
    document.removeEventListener('visibilitychange', onVisibility)
    close()
  }
}
