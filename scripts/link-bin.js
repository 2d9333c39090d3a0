// After an install, makes `npx sunstead` find the command line of this checkout.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'

const link = new URL('../node_modules/.bin/sunstead', import.meta.url)
mkdirSync(new URL('.', link), { recursive: true })
rmSync(link, { force: true })
symlinkSync('../../bin/sunstead.js', link)
