/**
 * Lets Ctrl-C end a long command in order, so that what it holds is given back; a second one ends it at once. `message` is
 * what is said then.
 */
export async function interruptible<T>(
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController()
  const stop = () => {
    // What a shell expects of a command that was interrupted.
    process.exitCode = 130
    console.error('Stopping. Ctrl-C once more ends it at once.')
    stopping.abort(new Error(message))
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    const done = await work(stopping.signal)
    // It was at its end already.
    if (stopping.signal.aborted) process.exitCode = 0
    return done
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}
