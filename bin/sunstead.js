#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { becomeServer } from './as-server.js'
import { entryPoint } from './built.js'

// An import goes on for as long as a server, beside one: it is to take no more room for garbage.
const isLasting = ['serve', 'import'].includes(process.argv[2])
if (isLasting) becomeServer()
const { path, isBuilt } = entryPoint()
// Code that was compiled before starts sooner and takes more memory, but for sources, which it saves a compiler.
if (!isBuilt || !isLasting) {
  const directory = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
  module.enableCompileCache?.({ directory, portable: true })
}
await import(pathToFileURL(path).href)
