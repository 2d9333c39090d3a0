import { common } from './common.ts'

export const connection = {
  offline: 'You’re offline',
  kept: 'You’re offline. What you type is kept on this device.',
  waiting: (count: number) =>
    `You’re offline. ${common.count(count, 'change', 'changes')} will be sent when you’re back online.`,
  /** The device has a network, and the server cannot be reached or cannot serve. */
  away: 'Sunstead can’t be reached',
  keptAway: 'Sunstead can’t be reached just now. What you type is kept on this device.',
  waitingAway: (count: number) =>
    `Sunstead can’t be reached just now. ${common.count(count, 'change', 'changes')} will be sent when it’s back.`,
  notLoadedAway: 'This page hasn’t loaded yet. It will open when Sunstead is back.',
  dontSend: 'Don’t send',
  /** Only what others do is not heard of. */
  notLive: 'Connection lost. Reconnecting …',
  notSent: 'Not sent. What you typed is still here.',
  unreachable: 'The server can’t be reached. Check your connection, then try again.',
  silent: 'The server didn’t answer in time. Try again.',
  notLoaded: 'This page hasn’t loaded yet. It will open when you’re back online.',
}
