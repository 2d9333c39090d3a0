#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { becomeServer } from './as-server.js'
import { isBuilt } from './built.js'

// An import goes on for as long as a server, beside one: it is to take no more room for garbage.
const isLasting = ['serve', 'import'].includes(process.argv[2])
if (isLasting) becomeServer()
const built = isBuilt()
// Code that was compiled before starts sooner and takes more memory, but for sources, which it saves a compiler.
if (!built || !isLasting) {
  const directory = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
  module.enableCompileCache?.({ directory, portable: true })
}
await import(built ? '../dist/server/main.js' : '../src/main.ts')
