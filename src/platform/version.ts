import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

const manifest = join(root, 'package.json')

export const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
