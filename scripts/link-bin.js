// After an install, makes `npx sunstead` find the command line of this checkout, and `sunstead/sdk` what is built from sdk/.
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'

const link = new URL('../node_modules/.bin/sunstead', import.meta.url)
mkdirSync(new URL('.', link), { recursive: true })
rmSync(link, { force: true })
symlinkSync('../../bin/sunstead.js', link)

// An image is made without the SDK, and an install for production without the compiler.
const needed = ['../sdk/src', '../node_modules/typescript', './build-sdk.js']
if (needed.every((path) => existsSync(new URL(path, import.meta.url)))) {
  const { buildSdk } = await import('./build-sdk.js')
  buildSdk()
}
