/**
 * For `node --import`: at its end a process says how much memory it took at most. What the system counts as its peak
 * begins with what the process held that started it.
 */
let peak = 0
const look = () => {
  peak = Math.max(peak, process.memoryUsage.rss())
}
setInterval(look, 20).unref()
process.on('exit', () => {
  look()
  console.error(`peak ${Math.round(peak / 2 ** 20)} MB`)
})
