#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { becomeServer } from './as-server.js'

if (process.argv[2] === 'serve') becomeServer()
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
await import('../src/main.ts')
