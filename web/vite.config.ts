import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Each script and style also packed, so that the server need not do it on each call. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    // When all is written: until then other plugins still change it.
    async writeBundle({ dir }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))
      for (const name of names) {
        const path = join(dir!, name)
        await writeFile(`${path}.br`, brotliCompressSync(await readFile(path)))
      }
    },
  }
}

const server = process.env['SUNSTEAD_SERVER'] ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), packed()],
  // No settings of others are looked for in the folders above.
  css: { postcss: {} },
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: {
    proxy: { '^/(console|v1|legacy|catalog|files|folders|thumbnails|proposals|docs)/': { target: server } },
  },
})
