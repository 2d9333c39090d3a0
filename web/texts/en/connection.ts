import { common } from './common.ts'

export const connection = {
  offline: 'You’re offline',
  kept: 'You’re offline. What you type is kept on this device.',
  waiting: (count: number) =>
    `You’re offline. ${common.count(count, 'change', 'changes')} will be sent when you’re back online.`,
  dontSend: 'Don’t send',
  /** Only what others do is not heard of. */
  notLive: 'Connection lost. Reconnecting …',
  notSent: 'Not sent. What you typed is still here.',
  unreachable: 'The server can’t be reached. Check your connection, then try again.',
  silent: 'The server didn’t answer in time. Try again.',
  notLoaded: 'This page hasn’t loaded yet. It will open when you’re back online.',
}
