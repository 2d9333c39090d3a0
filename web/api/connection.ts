import { useSyncExternalStore } from 'react'

interface Connection {
  /** Whether the server cannot be reached just now, or cannot serve. */
  lost: boolean
  /** Whether it is this device that has no network. */
  offline: boolean
  /** How much is waiting to be sent until it can. */
  waiting: number
}

const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000]
const lookMs = 5_000

let state: Connection = { lost: false, offline: false, waiting: 0 }
const followers = new Set<() => void>()
const waiting = new Set<(how: 'back' | 'given up') => void>()
let looking = false
let hurry: (() => void) | null = null

function set(next: Connection): void {
  state = next
  for (const notify of followers) notify()
}

/** A proxy answers in the place of a server that is away, and a server in that of its database: neither is there then. */
async function isReachable(): Promise<boolean> {
  try {
    const { status } = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(lookMs) })
    return status < 500
  } catch {
    return false
  }
}

function letGo(how: 'back' | 'given up'): void {
  const all = [...waiting]
  waiting.clear()
  set({ ...state, lost: how === 'back' ? false : state.lost, waiting: 0 })
  for (const go of all) go(how)
}

/** Looks again and again, at once where the browser says that it is back. */
async function lookUntilBack(): Promise<void> {
  if (looking) return
  looking = true
  for (let tries = 0; state.lost; tries++) {
    await new Promise<void>((resolve) => {
      hurry = resolve
      setTimeout(resolve, waitsMs[Math.min(tries, waitsMs.length - 1)])
    })
    if (await isReachable()) letGo('back')
  }
  looking = false
}

/** Something could not be sent, or the browser says that there is no network. */
export function noteLost(): void {
  const offline = !navigator.onLine
  if (!state.lost || state.offline !== offline) set({ ...state, lost: true, offline })
  void lookUntilBack()
}

/** Finds out whether it is the connection that failed; then everything else is told, too. */
export async function isLost(): Promise<boolean> {
  if (await isReachable()) return false
  noteLost()
  return true
}

/** Settles when the server is there again: whether what waited is to be sent. */
export function untilBack(): Promise<boolean> {
  noteLost()
  set({ ...state, waiting: state.waiting + 1 })
  return new Promise((resolve) => waiting.add((how) => resolve(how === 'back')))
}

/** What waits is not to be sent after all. */
export function giveUpWaiting(): void {
  letGo('given up')
}

function follow(notify: () => void): () => void {
  followers.add(notify)
  return () => followers.delete(notify)
}

/** Says whenever the server is there again after it was not. */
export function onBack(notify: () => void): () => void {
  let before = state.lost
  return follow(() => {
    const back = before && !state.lost
    before = state.lost
    if (back) notify()
  })
}

export function useConnection(): Connection {
  return useSyncExternalStore(follow, () => state)
}

/** Called once, when the console begins. */
export function watchConnection(): void {
  window.addEventListener('offline', noteLost)
  window.addEventListener('online', () => {
    set({ ...state, offline: false })
    hurry?.()
  })
  window.addEventListener('beforeunload', (event) => {
    if (state.waiting > 0) event.preventDefault()
  })
  if (!navigator.onLine) noteLost()
}
