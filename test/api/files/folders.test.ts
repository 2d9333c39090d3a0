import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { folderPaths } from '../../../src/domain/deals/files/folder-address.ts'
import { type Folder, folders } from '../../../src/domain/kernel/folder.ts'
import { newToken } from '../../../src/platform/ids.ts'
import { startApp } from '../../support/app.ts'
import { type Actors, createWorld, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { gif, isoMedia, pdf, png } from '../../support/sample-files.ts'
import { twoColours } from '../../support/sample-pictures.ts'

const contents: Record<string, string | Buffer> = {
  jpg: await twoColours({ width: 800, height: 600 }).jpeg().toBuffer(),
  png,
  gif,
  pdf,
  heic: isoMedia('heic'),
  mp4: isoMedia('isom'),
  svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  csv: 'a,b\n1,2\n',
  txt: 'x'.repeat(12_345),
}
const outside = await startHttpsServer((request, response) =>
  response.end(contents[/\.(\w+)(\?|$)/.exec(request.url!)![1]!]),
)
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
const { installer, other } = await createWorld(app.database.db)
after(() => outside.close())

let asked = 0
/** Adds files of these names to a folder, as many at once as a call takes; a name's ending says what is in it. */
async function fill(projectId: string, folder: Folder, names: string[]): Promise<{ id: string }[]> {
  const added: { id: string }[] = []
  for (let i = 0; i < names.length; i += 10) {
    const files = names.slice(i, i + 10).map((name) => {
      const ending = /\w+$/.exec(name)![0]
      return { url: `${outside.url}/a.${ending}?${++asked}`, name }
    })
    const body = { folder, files }
    const answer = await app.call('POST', `/v1/projects/${projectId}/files`, { key: installer.key, body })
    assert.equal(answer.status, 201, answer.text)
    added.push(...answer.body.files)
  }
  return added
}

async function folderSecret(projectId: string): Promise<string> {
  const [row] = await app.database.rows<{ folder_secret: string }>(
    'select folder_secret from projects where id = $1',
    [projectId],
  )
  return row!.folder_secret
}

async function pathOf(projectId: string, folder: Folder, of: Actors = installer): Promise<string> {
  return folderPaths(of.company.number, { id: projectId, folderSecret: await folderSecret(projectId) })(
    folder,
  )
}

const namesOn = (html: string) => [...html.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map((match) => match[1]!)

test('a folder is a page of its files: pictures as thumbnails, others by what they are', async () => {
  const { projectId } = await project(installer)
  const names = [
    'roof.jpg',
    'panel.png',
    'bill.pdf',
    'phone.heic',
    'walk.mp4',
    'plan.svg',
    'usage.csv',
    'n.txt',
  ]
  await fill(projectId, 'siteSurvey', names)
  await fill(projectId, 'permit', ['elsewhere.pdf'])
  const { status, headers, text } = await app.send('GET', await pathOf(projectId, 'siteSurvey'))

  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['x-robots-tag'], 'noindex')
  assert.match(text, /<html lang="en">/)
  assert.match(text, /<title>Site survey<\/title>/)
  assert.match(text, /<h1>Site survey<\/h1>.*8 files</)
  assert.deepEqual(namesOn(text), names)
  assert.deepEqual(
    [...text.matchAll(/class="mark"[^>]*>([^<]*)</g)].map((match) => match[1]),
    ['Picture', 'Picture', 'PDF', 'Picture', 'Video', 'Drawing', 'Spreadsheet', 'Text'],
  )
  assert.match(text, /12 kB · <time datetime="\d{4}-\d\d-\d\d">[A-Z][a-z]{2} \d{1,2}, \d{4}<\/time>/)

  const links = [...text.matchAll(/<a href="([^"]*)"/g)].map((match) => match[1]!)
  assert.equal(links.length, names.length)
  for (const link of links) assert.equal((await app.send('GET', link)).status, 200, link)
  const images = [...text.matchAll(/<img [^>]*>/g)].map((match) => match[0])
  assert.equal(images.length, 2)
  for (const image of images) {
    assert.match(image, /alt="(roof\.jpg|panel\.png)" width="\d+" height="\d+" loading="lazy"/)
    const thumbnail = await app.send('GET', /src="([^"]*)"/.exec(image)![1]!)
    assert.deepEqual([thumbnail.status, thumbnail.headers['content-type']], [200, 'image/webp'])
  }
})

test('the page runs no script and loads our own pictures only', async () => {
  const { projectId } = await project(installer)
  const { headers, text } = await app.send('GET', await pathOf(projectId, 'contract'))
  const policy = headers['content-security-policy']!
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /img-src 'self'(;|$)/)
  assert.doesNotMatch(policy, /script-src|unsafe/)
  const style = /<style>([\s\S]*)<\/style>/.exec(text)![1]!
  assert.ok(policy.includes(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`))
  assert.doesNotMatch(text, /<script| style=|:\/\//)
  const plain = (await app.send('GET', '/about')).headers['content-security-policy']!
  assert.doesNotMatch(plain, /img-src/)
})

test('every folder has its title; an empty one says so', async () => {
  const { projectId } = await project(installer)
  const titles = new Set<string>()
  for (const folder of folders) {
    const { status, text } = await app.send('GET', await pathOf(projectId, folder))
    assert.equal(status, 200)
    assert.match(text, /Nothing here yet/)
    titles.add(/<h1>([^<]+)<\/h1>/.exec(text)![1]!)
  }
  assert.equal(titles.size, folders.length)
  assert.ok(titles.has('Utility bills') && titles.has('Driver’s license'))
})

test('the day is the day where the installer works', async () => {
  const { projectId } = await project(installer)
  await fill(projectId, 'other', ['a.pdf'])
  // Still the evening of New Year's Eve in Denver.
  await app.database.rows('update files set added_at = $2 where project_id = $1', [
    projectId,
    '2026-01-01T06:30:00Z',
  ])
  const { text } = await app.send('GET', await pathOf(projectId, 'other'))
  assert.match(text, /1 file<.*<time datetime="2025-12-31">Dec 31, 2025</s)
})

test('nothing about the customer is on it, and a revoked file is not', async () => {
  const { projectId, leadId } = await project(installer, { firstName: 'Zacharias', lastName: 'Quux' })
  const [, revoked] = await fill(projectId, 'internal', ['kept.pdf', 'revoked.pdf'])
  await app.database.rows('update files set revoked_at = now() where id = $1', [revoked!.id])
  const { text } = await app.send('GET', await pathOf(projectId, 'internal'))
  assert.deepEqual(namesOn(text), ['kept.pdf'])
  assert.doesNotMatch(text, /Zacharias|Quux|Market St|619/)
  assert.ok(!text.includes(leadId) && !text.includes(projectId))
})

test('a name is shown as text, whatever is in it', async () => {
  const { projectId } = await project(installer)
  const name = `"><script>alert('x')<script>&amp;.jpg`
  await fill(projectId, 'siteSurvey', [name])
  const { text } = await app.send('GET', await pathOf(projectId, 'siteSurvey'))
  assert.doesNotMatch(text, /<script/)
  const shown = '&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;script&#62;&#38;amp;.jpg'
  assert.deepEqual(namesOn(text), [shown])
  assert.ok(text.includes(`alt="${shown}"`))
  const unescaped = (link: string) => link.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
  for (const attribute of ['href', 'src']) {
    const link = new RegExp(`${attribute}="([^"]*)"`).exec(text)![1]!
    assert.equal((await app.send('GET', unescaped(link))).status, 200, link)
  }
})

test('a long folder comes in pages, and no file is lost between them', async () => {
  const { projectId } = await project(installer)
  const names = Array.from({ length: 250 }, (_, i) => `${i + 1}.txt`)
  await fill(projectId, 'installationPhoto', names)
  const path = await pathOf(projectId, 'installationPhoto')
  const first = await app.send('GET', path)
  assert.match(first.text, /250 files, 1 to 200 here</)
  assert.doesNotMatch(first.text, /From the beginning/)
  const more = /<a href="(\?after=file_\w+)"[^>]*>More</.exec(first.text)![1]!
  const second = await app.send('GET', path + more)
  assert.match(second.text, /250 files, 201 to 250 here</)
  assert.doesNotMatch(second.text, />More</)
  assert.match(second.text, /<a href="\?">From the beginning</)
  assert.deepEqual([...namesOn(first.text), ...namesOn(second.text)], names)

  for (const bad of [
    '?after=',
    '?after=x',
    '?after=file_%00',
    '?after=proj_0123456789abc',
    '?after=a&after=b',
  ]) {
    assert.equal((await app.send('GET', path + bad)).text, first.text, bad)
  }
  const past = await app.send('GET', `${path}?after=file_zzzzzzzzzzzzzzzzzzzzzzzz`)
  assert.equal(past.status, 200)
  assert.match(past.text, /250 files<.*No more files/)
})

test('an address opens its own folder and nothing else; every other answer is the same 404', async () => {
  const { projectId } = await project(installer)
  const { projectId: second } = await project(installer)
  const { projectId: foreign } = await project(other)
  await fill(projectId, 'internal', ['secret.pdf'])
  const path = await pathOf(projectId, 'siteSurvey')
  const [, , number, , , token] = path.split('/')
  const last = token!.at(-1) === 'A' ? 'B' : 'A'
  const wrong = [
    `/folders/${number}/${projectId}/internal/${token}`,
    `/folders/${number}/${projectId}/identification/${token}`,
    `/folders/${number}/${second}/siteSurvey/${token}`,
    `/folders/${number}/${foreign}/siteSurvey/${token}`,
    `/folders/${other.company.number}/${projectId}/siteSurvey/${token}`,
    `/folders/${other.company.number}/${foreign}/siteSurvey/${token}`,
    (await pathOf(foreign, 'siteSurvey', other)).replace(/\d+/, number!),
    `/folders/999999999/${projectId}/siteSurvey/${token}`,
    `/folders/99999999999/${projectId}/siteSurvey/${token}`,
    `/folders/-1/${projectId}/siteSurvey/${token}`,
    `/folders/${number}/proj_0000000000000000000000/siteSurvey/${token}`,
    `/folders/${number}/%00/siteSurvey/${token}`,
    `/folders/${number}/${projectId}/SiteSurvey/${token}`,
    `/folders/${number}/${projectId}/constructor/${token}`,
    `/folders/${number}/${projectId}/%E0%A4/${token}`,
    `/folders/${number}/${projectId}/siteSurvey/${token!.slice(0, -1)}${last}`,
    `/folders/${number}/${projectId}/siteSurvey/${token!.slice(0, -1)}`,
    `/folders/${number}/${projectId}/siteSurvey/${token}${token}`,
    `/folders/${number}/${projectId}/siteSurvey/%00`,
    `/folders/${number}/${projectId}/siteSurvey/`,
  ]
  const first = await app.call('GET', wrong[0]!)
  for (const url of wrong) {
    const answer = await app.call('GET', url)
    assert.equal(answer.status, 404, url)
    assert.equal(answer.text, first.text, url)
    assert.deepEqual(withoutChance(answer.headers), withoutChance(first.headers), url)
  }
  assert.equal((await app.send('GET', path)).status, 200)
})

/** The headers less those of the connection and the moment. */
function withoutChance(headers: Record<string, string | undefined>): object {
  return { ...headers, 'x-request-id': '', date: '', connection: '', 'keep-alive': '' }
}

test('a new secret closes the old addresses', async () => {
  const { projectId } = await project(installer)
  const old = await pathOf(projectId, 'permit')
  assert.equal((await app.send('GET', old)).status, 200)
  await app.database.rows('update projects set folder_secret = $2 where id = $1', [projectId, newToken()])
  assert.equal((await app.call('GET', old)).status, 404)
  assert.equal((await app.send('GET', await pathOf(projectId, 'permit'))).status, 200)
})

test('HEAD answers as GET does, without the page', async () => {
  const { projectId } = await project(installer)
  await fill(projectId, 'planset', ['plan.pdf'])
  const path = await pathOf(projectId, 'planset')
  const [page, head] = [await app.send('GET', path), await app.send('HEAD', path)]
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers['content-length'], String(Buffer.byteLength(page.text)))
  assert.deepEqual(withoutChance(head.headers), withoutChance(page.headers))
  assert.equal((await app.send('HEAD', `${path}x`)).status, 404)
})
