#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { becomeServer } from './as-server.js'

// An import goes on for as long as a server, beside one: it is to take no more room for garbage.
if (['serve', 'import'].includes(process.argv[2])) becomeServer()
const directory = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
module.enableCompileCache?.({ directory, portable: true })
await import('../src/main.ts')
