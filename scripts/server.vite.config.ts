import { join } from 'node:path'
import { defineConfig } from 'vite'
import { root } from '../src/platform/root.ts'

/** The server's own sources in a few files, readable as they were written: what it imports stays where it is. */
export default defineConfig({
  root,
  logLevel: 'warn',
  // No settings of others are looked for in the folders above.
  css: { postcss: {} },
  build: {
    ssr: join(root, 'src/main.ts'),
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node26',
    minify: false,
    rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
  },
})
