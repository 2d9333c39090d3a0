import { globSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './process.ts'

/** Another runtime, where npm has it for this machine: the program itself, as the package's install script need not run. */
export const bun: string | null =
  globSync('node_modules/@oven/bun-*/bin/bun', { cwd: root }).map((path) => join(root, path))[0] ?? null
