/** What this process has calculated for. Unlike a clock it does not go on while a busy machine lets us wait. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
