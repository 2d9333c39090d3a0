import type { FastifyReply } from 'fastify'
import type { ListedFile } from '../../domain/deals/files/queries.ts'
import { dayIn } from '../../domain/kernel/days.ts'
import type { Folder } from '../../domain/kernel/folder.ts'
import { folderNames } from '../../domain/kernel/folder.ts'
import { cleanFileName } from '../../platform/file-name.ts'
import { hasThumbnail } from '../../platform/thumbnail.ts'
import { escapeHtml, pagesWith } from './page.ts'

export interface FolderPage {
  /** Where a file is opened from this page, and where its small picture is. */
  paths: (file: ListedFile) => { file: string; thumbnail: string }
  timezone: string
  folder: Folder
  files: ListedFile[]
  /** Whether there are files after these. */
  more: boolean
  /** Of the whole folder. */
  total: number
  /** How many files of the folder come before these. */
  before: number
}

// A picture that cannot be made small shows the mark behind it: its text is moved out of sight, and what comes
// after it, which browsers draw only for a missing picture, covers their sign for one.
const send = pagesWith({
  pictures: true,
  style: `
main { max-width: 76rem }
@media (max-width: 32rem) { main { padding-top: 1.75rem } }
.files { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 42%), 1fr)); gap: 1.75rem 1.25rem; margin: 1.75rem 0 0; padding: 0; list-style: none }
.files a { display: block; color: inherit; text-decoration: none; border-radius: 10px; outline-offset: 4px }
.view { position: relative; display: grid; place-items: center; aspect-ratio: 4 / 3; overflow: hidden; background: var(--code); border: 1px solid var(--line); border-radius: 10px }
.view img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; text-indent: 200%; white-space: nowrap; overflow: hidden }
.view img::after { content: ''; position: absolute; inset: 0 auto auto 0; width: 2rem; height: 2rem; background: var(--code) }
.mark { padding: .2rem .7rem; color: var(--soft); background: var(--page); border: 1px solid var(--line); border-radius: 6px; font-size: .8rem; font-weight: 600; letter-spacing: .03em }
.name { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; margin-top: .55rem; font-size: .94rem; line-height: 1.35; overflow-wrap: anywhere }
.facts { display: block; margin-top: .1rem; color: var(--soft); font-size: .82rem } .facts time { white-space: nowrap }
.files a:hover .name, .files a:focus-visible .name { text-decoration: underline }
.files a:hover .view { border-color: var(--soft) }
.turn { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; margin: 2.5rem 0 0 } .turn a { padding: .4rem 0 }
.empty { margin: 2rem 0 0; padding: 3.5rem 1rem; text-align: center; border: 1px dashed var(--line); border-radius: 10px }
`,
})

/** The folder's files as pictures and tiles. Of the customer it says nothing but what the files' names do. */
export function sendFolderPage(reply: FastifyReply, page: FolderPage): FastifyReply {
  const { files, folder, more, total, before } = page
  const title = folderNames[folder]
  const part =
    files.length > 0 && files.length < total ? `, ${before + 1} to ${before + files.length} here` : ''
  const count = total === 0 ? '' : `<p class="soft">${total} ${total === 1 ? 'file' : 'files'}${part}</p>`
  const list =
    files.length > 0
      ? `<ul class="files" role="list">${files.map((file) => tile(page, file)).join('')}</ul>`
      : `<p class="empty soft">${total === 0 ? 'Nothing here yet' : 'No more files'}</p>`
  const turns = [
    ...(before > 0 ? ['<a href="?">From the beginning</a>'] : []),
    ...(more ? [`<a href="?after=${files.at(-1)!.id}" rel="next">More</a>`] : []),
  ]
  const turn = turns.length > 0 ? `<nav class="turn" aria-label="Pages">${turns.join('')}</nav>` : ''
  return send(reply, title, `<h1>${title}</h1>${count}${list}${turn}`)
}

function tile({ paths, timezone }: FolderPage, file: ListedFile): string {
  const name = escapeHtml(cleanFileName(file.name))
  const path = paths(file)
  const picture = hasThumbnail(file.type)
  // The picture is read out as its name, so the name below it is not read out again.
  const image = `<img src="${escapeHtml(path.thumbnail)}" alt="${name}" width="480" height="360" loading="lazy" decoding="async">`
  const day = dayIn(timezone, file.addedAt)
  return `<li><a href="${escapeHtml(path.file)}"${file.inline ? '' : ' download'}>
<span class="view"><span class="mark"${picture ? ' aria-hidden="true"' : ''}>${escapeHtml(markOf(file))}</span>${picture ? image : ''}</span>
<span class="name" title="${name}"${picture ? ' aria-hidden="true"' : ''}><bdi>${name}</bdi></span>
<span class="facts">${sizeText(file.size)} · <time datetime="${day}">${dayText(day)}</time></span></a></li>`
}

const marks: [RegExp, string][] = [
  [/^application\/pdf/, 'PDF'],
  [/^image\/svg/, 'Drawing'],
  [/^image\//, 'Picture'],
  [/^video\//, 'Video'],
  [/^audio\//, 'Audio'],
  [/^text\/csv|spreadsheet|excel/, 'Spreadsheet'],
  [/presentation|powerpoint/, 'Slides'],
  [/^text\/plain/, 'Text'],
  [/word|opendocument\.text|rtf/, 'Document'],
]

function markOf({ type, extension }: ListedFile): string {
  return marks.find(([form]) => form.test(type))?.[1] ?? extension.toUpperCase()
}

/** As people's own computers say it: 1 MB is a million bytes. */
function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  // From 999.5 kB on, rounded, it is a whole MB.
  const [value, unit] = bytes < 999_500 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB']
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

const dayForm = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function dayText(day: string): string {
  return dayForm.format(new Date(day))
}
