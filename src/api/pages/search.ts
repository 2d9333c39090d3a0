import { escapeHtml } from '../http/page.ts'

interface Section {
  url: string
  page: string
  title: string
  text: string
}

/** A section as it is compared: in small letters. */
interface Indexed extends Section {
  head: string
  body: string
}

interface Found extends Section {
  score: number
  words: string[]
}

const maxWords = 8
const maxFound = 30
const excerptLength = 180

/** Looks a question up in the sections of the documentation; `read` brings the index as it was built. */
export function createSearch(read: () => Promise<Buffer | null>): (question: string) => Promise<Found[]> {
  let index: { of: Buffer; sections: Indexed[] } | null = null

  async function sections(): Promise<Indexed[]> {
    const bytes = await read()
    if (!bytes) return []
    if (index?.of !== bytes) {
      const all: Section[] = JSON.parse(bytes.toString())
      index = {
        of: bytes,
        sections: all.map((one) => ({
          ...one,
          head: `${one.title} ${one.page} ${one.url}`.toLowerCase(),
          body: one.text.toLowerCase(),
        })),
      }
    }
    return index.sections
  }

  return async (question) => {
    const words = question.toLowerCase().split(/\s+/).filter(Boolean).slice(0, maxWords)
    if (words.length === 0) return []
    return (await sections())
      .map((section) => ({ ...section, words, score: scoreOf(section, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, maxFound)
  }
}

/** Every word must be there. In a heading it counts for more, and more yet where the heading is nothing else. */
function scoreOf({ title, head, body }: Indexed, words: string[]): number {
  let score = title.toLowerCase() === words.join(' ') ? 20 : 0
  for (const word of words) {
    const inHead = head.includes(word)
    if (!inHead && !body.includes(word)) return 0
    score += inHead ? 10 : 1
    if (new RegExp(`\\b${RegExp.escape(word)}\\b`).test(inHead ? head : body)) score += 2
  }
  return score
}

/** What is around the first word that was found. */
function excerptOf(text: string, words: string[]): string {
  const lower = text.toLowerCase()
  const at = Math.max(
    0,
    Math.min(...words.map((word) => lower.indexOf(word)).filter((i) => i >= 0), text.length),
  )
  const from = at < 60 || at === text.length ? 0 : text.indexOf(' ', at - 60) + 1
  const part = text.slice(from, from + excerptLength)
  return `${from > 0 ? '… ' : ''}${part}${from + excerptLength < text.length ? ' …' : ''}`
}

/** What was found, as the page shows it. */
export function foundHtml(question: string, found: Found[]): string {
  if (question.trim() === '') return ''
  if (found.length === 0)
    return `<p>Nothing was found for “${escapeHtml(question)}”. Try fewer words, or the name of a field or an endpoint.</p>`
  const items = found.map(({ url, page, title, text, words }) => {
    const over = title === page ? '' : `<small>${escapeHtml(page)}</small>`
    return `<li><a href="${escapeHtml(url)}">${over}<strong>${escapeHtml(title)}</strong></a><p>${marked(excerptOf(text, words), words)}</p></li>`
  })
  return `<p class="count">${found.length === maxFound ? `The first ${maxFound}` : found.length} for “${escapeHtml(question)}”</p><ol class="found">${items.join('')}</ol>`
}

function marked(text: string, words: string[]): string {
  const form = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'gi')
  return text
    .split(form)
    .map((part, i) => (i % 2 === 1 ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part)))
    .join('')
}
