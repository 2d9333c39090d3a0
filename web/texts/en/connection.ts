import { common } from './common.ts'

export const connection = {
  offline: 'You are offline',
  kept: 'You are offline. What you type is kept here.',
  waiting: (count: number) =>
    `You are offline. ${common.count(count, 'change', 'changes')} will be sent when the connection is back.`,
  dontSend: 'Don’t send',
  /** Only what others do is not heard of. */
  notLive: 'The connection to the server is lost. Trying again …',
  notSent: 'Not sent. What you typed is still here.',
  unreachable: 'The server can’t be reached. Check your connection, then try again.',
  silent: 'The server didn’t answer in time. Try again.',
  notLoaded: 'This page hasn’t been loaded yet. It opens by itself when the connection is back.',
}
