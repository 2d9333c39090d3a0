#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { becomeServer } from './as-server.js'

if (process.argv[2] === 'serve') becomeServer()
const directory = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
module.enableCompileCache?.({ directory, portable: true })
await import('../src/main.ts')
