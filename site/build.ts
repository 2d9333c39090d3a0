// Writes site/dist: every page of /docs, its script and style, the search's index, the Postman collection and llms.txt.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'vite'
import { errorPage } from './errors.ts'
import { type Assets, framed } from './frame.ts'
import { guideGroups } from './guides.ts'
import { homePage } from './home.ts'
import { llmsFullText, llmsText } from './llms.ts'
import { readInterfaces } from './openapi.ts'
import type { Page } from './page.ts'
import { postmanCollection } from './postman.ts'
import { referenceGroup } from './reference/pages.ts'
import { searchIndex } from './search-index.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'site/dist')

/** The script and the style, by names that hold a hash of what is in them. */
async function buildAssets(): Promise<Assets> {
  const built = await build({
    configFile: false,
    root: join(root, 'web'),
    base: '/docs/',
    logLevel: 'warn',
    build: {
      outDir: join(target, 'docs'),
      emptyOutDir: false,
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: [join(root, 'web/docs.ts'), join(root, 'web/docs.css')],
        output: { entryFileNames: 'assets/[name]-[hash].js' },
      },
    },
  })
  const [{ output }] = [built].flat() as unknown as [{ output: { fileName: string }[] }]
  const named = (end: string) => `/docs/${output.find(({ fileName }) => fileName.endsWith(end))!.fileName}`
  return { script: named('.js'), style: named('.css') }
}

async function write(path: string, text: string): Promise<void> {
  const file = join(target, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

await rm(target, { recursive: true, force: true })
const assets = await buildAssets()
const interfaces = readInterfaces()
const guides = guideGroups()
const reference = interfaces.map(referenceGroup)
const errors = errorPage()
const home = homePage(guides, reference)
const groups = [...guides, { title: 'Reference', pages: [errors] }, ...reference]
const search: Page = {
  path: '/docs/search',
  title: 'Search',
  description: 'Search the documentation.',
  html: '<h1>Search</h1><form class="search wide" action="/docs/search" role="search"><input type="search" name="q" value="" placeholder="Search" aria-label="Search for" maxlength="100" autocomplete="off" required><button>Search</button></form><div id="found" aria-live="polite"><!--found--></div>',
}
const missing: Page = {
  path: '/not-found',
  title: 'Page not found',
  description: 'There is no such page.',
  html: '<h1>Page not found</h1><p class="lead">There is no such page here. Look through the menu, or <a href="/docs/search">search</a>.</p>',
}

const pages = [home, ...groups.flatMap(({ pages: own }) => own)]
for (const page of [...pages, search, missing]) {
  await write(`${page.path.slice(1)}.html`, framed(page, groups, assets))
  if (page.markdown) await write(`${page.path.slice(1)}.md`, page.markdown)
}
await write('docs/postman.json', JSON.stringify(postmanCollection(interfaces), null, 1))
await write('llms.txt', llmsText(guides, reference, errors))
await write('docs/llms-full.txt', llmsFullText(guides, interfaces))
await write('search.json', JSON.stringify(searchIndex(pages)))
// Last: what is there without it was broken off.
await write('pages.json', JSON.stringify(pages.map(({ path }) => path)))
