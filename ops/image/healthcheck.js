// Says by its exit code whether the server of this container lives. It needs no other program.
const { PORT = '8080' } = process.env
const answer = await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(
  (error) => ({ ok: false, status: error.message }),
)
if (!answer.ok) {
  console.error(`/healthz: ${answer.status}`)
  process.exitCode = 1
}
