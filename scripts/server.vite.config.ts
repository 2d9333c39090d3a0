import { join } from 'node:path'
import { defineConfig } from 'vite'
import { root } from '../src/platform/root.ts'

/** The server's own sources in a few files, readable as they were written: what it imports stays where it is. */
export default defineConfig({
  root,
  logLevel: 'warn',
  build: {
    ssr: join(root, 'src/main.ts'),
    outDir: join(root, 'dist/server'),
    // A server that runs still loads what it was built into.
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'node26',
    minify: false,
    rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
  },
})
