/**
 * Waits until all of these wait for a lock of the database that `rows` reads, or one has ended without: a machine that stood
 * still may have ended whoever holds it.
 */
export async function untilWaiting(
  rows: (text: string) => Promise<object[]>,
  those: readonly Promise<unknown>[],
): Promise<void> {
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  for (const one of those) one.then(end, end)
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while (!hasEnded && (await rows(waits)).length < those.length)
    await new Promise((resolve) => setTimeout(resolve, 5))
}
