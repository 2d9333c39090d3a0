import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { readInterfaces } from '../../site/openapi.ts'
import { type Answer, type App, startApp } from '../support/app.ts'
import { root } from '../support/process.ts'

const paths: string[] = JSON.parse(readFileSync(join(root, 'site/dist/pages.json'), 'utf8'))
const addresses = {
  BASE_URL: 'https://sun.example.com',
  LEGACY_BASE_URL: 'https://old.example.com',
  CATALOG_BASE_URL: 'https://cat.example.com/c',
}

/** Where this server has what is below an address that it names. */
const served = {
  [addresses.BASE_URL]: '',
  [addresses.LEGACY_BASE_URL]: '/legacy',
  [addresses.CATALOG_BASE_URL]: '/catalog',
}

describe('the documentation', () => {
  let app: App
  const opened = new Map<string, Promise<Answer>>()
  const open = (path: string) => {
    if (!opened.has(path)) opened.set(path, app.send('GET', path))
    return opened.get(path)!
  }

  before(async () => {
    app = await startApp({ env: addresses })
  })

  test('has a page for each guide, each group of calls, and what is at no other place', () => {
    for (const name of readdirSync(join(root, 'docs/guides'))) {
      const path = name === 'quickstart.md' ? '/docs/quickstart' : `/docs/guides/${name.replace('.md', '')}`
      assert.ok(paths.includes(path), `${name} is not in site/guides.ts`)
    }
    for (const { slug, tags } of readInterfaces())
      for (const tag of tags) assert.ok(paths.includes(`/docs/reference/${slug}/${tag.slug}`))
    assert.equal(new Set(paths).size, paths.length)
  })

  test('every page is sent packed, is known by its tag, runs our script only, and is not huge', async () => {
    for (const path of paths) {
      const { status, headers, text } = await open(path)
      assert.equal(status, 200, path)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.match(
        headers['content-security-policy']!,
        /default-src 'none'; script-src 'self'; style-src 'self';/,
      )
      assert.ok(text.length < 500_000, `${path}: ${text.length}`)
      assert.doesNotMatch(text, /127\.0\.0\.1:8080/, path)
      const packed = await app.send('GET', path, { headers: { 'accept-encoding': 'br' } })
      assert.equal(packed.headers['content-encoding'], 'br')
      assert.equal(brotliDecompressSync(packed.bytes).toString(), text)
      const again = await app.send('GET', path, { headers: { 'if-none-match': headers['etag']! } })
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
    }
  })

  test('no link is dead: each leads to a page of this server, and to a place that is on it', async () => {
    const dead: string[] = []
    for (const path of paths) {
      const { text } = await open(path)
      for (const [, found] of text.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
        const target = found!.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
        if (!/^[/#]/.test(target)) dead.push(`${path}: ${target} is elsewhere`)
        const { pathname, hash } = new URL(target, `http://x${path}`)
        const page = await open(pathname)
        if (page.status !== 200) dead.push(`${path}: ${target} answers ${page.status}`)
        else if (hash && !page.text.includes(`id="${hash.slice(1)}"`))
          dead.push(`${path}: ${target} is no place`)
      }
    }
    assert.deepEqual([...new Set(dead)], [])
  })

  test('no two places of a page have the same name', async () => {
    for (const path of paths) {
      const ids = [...(await open(path)).text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      assert.equal(new Set(ids).size, ids.length, `${path}: ${ids.filter((id, i) => ids.indexOf(id) !== i)}`)
    }
  })

  test('every call has an address of its own, with an example and its answers', async () => {
    for (const { slug, tags } of readInterfaces())
      for (const tag of tags) {
        const { text } = await open(`/docs/reference/${slug}/${tag.slug}`)
        for (const { operationId, responses } of tag.calls) {
          const section = text.split(`<h2 id="${operationId}">`)[1]!.split('</section>')[0]!
          assert.match(section, /curl -s/, operationId)
          for (const status of Object.keys(responses)) assert.match(section, new RegExp(`>${status}</span>`))
        }
      }
  })

  test('shows this server’s own addresses', async () => {
    assert.match((await open('/docs/quickstart')).text, /https:\/\/sun\.example\.com\/v1\/me/)
    assert.match((await open('/docs/reference/legacy')).text, /https:\/\/old\.example\.com</)
    assert.match((await open('/docs/reference/catalog')).text, /https:\/\/cat\.example\.com\/c\/v1</)
    assert.match((await open('/docs/guides/sync.md')).text, /https:\/\/sun\.example\.com/)
  })

  test('what is not there is a page for a person, and an error for a program', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/../package.json',
      '/docs/guides/%2e%2e/x',
      '/docs/assets/x.js',
      '/docs/not-found',
    ]) {
      const program = await app.send('GET', path)
      assert.equal(program.status, 404, path)
      assert.equal(program.body.error.code, 'not_found')
    }
    // As a browser sends it.
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
    for (const path of ['/docs/nothing', '/docs/nothing/', '/docs/nothing.html', '/docs/guides/no%20thing']) {
      const person = await app.send('GET', path, { headers: { accept } })
      assert.equal(person.status, 404, path)
      assert.equal(person.headers['content-type'], 'text/html; charset=utf-8', path)
      assert.match(person.text, /Page not found/, path)
    }
  })

  test('no link of a text for programs is dead, and each is a whole address', async () => {
    const texts = ['/llms.txt', '/docs/llms-full.txt']
    for (const path of paths) if ((await open(`${path}.md`)).status === 200) texts.push(`${path}.md`)
    assert.ok(texts.length > 14, `${texts.length}`)
    const dead: string[] = []
    for (const path of texts) {
      const { text } = await open(path)
      const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
      const links = [...prose.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link!)
      const bare = [...prose.matchAll(/https:\/\/sun\.example\.com\/docs[\w/.-]*\w/g)].map(([link]) => link)
      for (const link of [...links, ...bare]) {
        const here = Object.entries(served).find(([base]) => link.startsWith(`${base}/`))
        if (!here) dead.push(`${path}: ${link} is no address of this server`)
        else {
          const { status } = await open(here[1] + link.slice(here[0].length).split('#')[0])
          if (status !== 200) dead.push(`${path}: ${link} answers ${status}`)
        }
      }
    }
    assert.deepEqual([...new Set(dead)], [])
    assert.match(
      (await open('/docs/quickstart.md')).text,
      /\(https:\/\/sun\.example\.com\/docs\/guides\/sync\.md\)/,
    )
  })

  test('the menu tells the pages about the legacy API apart', async () => {
    const menu = (await open('/docs')).text.split('<h2>Moving in</h2>')[1]!.split('</ul>')[0]!
    const titles = [...menu.matchAll(/>([^<]+)<\/a>/g)].map(([, title]) => title!)
    assert.deepEqual(
      titles.map((title) => title.split(' ', 3).join(' ')),
      ['Bring your records', 'Move your program', 'Table: legacy and'],
    )
  })

  test('llms.txt leads to texts that are there', async () => {
    const { text, headers } = await open('/llms.txt')
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(text, /^# Sunstead\n\n> /)
    const links = [...text.matchAll(/\]\((https:[^)]+)\)/g)].map(([, url]) => url!)
    for (const path of paths.filter((one) => one !== '/docs'))
      assert.ok(
        links.some((url) => new URL(url).pathname.replace(/\.md$/, '') === path),
        path,
      )
    // The legacy and the catalogue API have other addresses here, which lead to this server in the end.
    for (const url of [...links, `${addresses.BASE_URL}/docs/llms-full.txt`].filter((one) =>
      one.includes('sun.example'),
    ))
      assert.equal((await open(new URL(url).pathname)).status, 200, url)
    const full = (await open('/docs/llms-full.txt')).text
    for (const name of readdirSync(join(root, 'docs/guides'))) {
      const [title] = readFileSync(join(root, 'docs/guides', name), 'utf8').split('\n')
      assert.ok(full.includes(`${title}\n`), name)
    }
  })
})
