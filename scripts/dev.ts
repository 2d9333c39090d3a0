// npm run dev: the server, started again when its code changes, and the console, whose pages change as their code does.
import { type ChildProcess, spawn } from 'node:child_process'
import { readConfig } from '../src/config.ts'

const { host, port } = readConfig(process.env)
const server = `http://${host}:${port || 8080}`
const options = { stdio: 'inherit', env: { ...process.env, SUNSTEAD_SERVER: server } } as const
const children: ChildProcess[] = [
  spawn(process.execPath, ['--watch', 'src/main.ts', 'serve'], options),
  spawn(
    process.execPath,
    ['node_modules/vite/bin/vite.js', '--config', 'web/vite.config.ts', '--host', host],
    options,
  ),
]

/** One does not run without the other. */
function stop(): void {
  for (const child of children) child.kill('SIGTERM')
}
for (const child of children) child.on('exit', stop)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
console.log('The console with reload is at the address that vite prints below.')
